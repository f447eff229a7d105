import { loadSharp } from '#server/features/documents/service.ts'
import { drawFace, type Face } from './faces.ts'
import { drawText } from '#server/lib/stroke-text.ts'

/** The text of a specimen card, in Latin letters. */
export interface Card {
  title: string
  country: string
  family: string
  given: string
  dateOfBirth: string
  sex: string
  number: string
  expires: string
  color: string
}

const ink = '#27364a'
const soft = '#7e8fa3'
const waves = Array.from({ length: 9 }, (_, n) => {
  const y = 20 + n * 30
  return `<path d="M0 ${y}Q107 ${y - 28} 214 ${y}T428 ${y}" fill="none" stroke="#bccad6" stroke-width="1"/>`
}).join('')
const paper = `<rect width="428" height="270" fill="#e8eef3"/>${waves}`

const drawSpecimenMark = (x: number, y: number, turn: number, color: string, opacity: number) =>
  `<g transform="rotate(${turn} ${x} ${y})">${drawText('SPECIMEN', x, y + 20, { color, size: 40, weight: 2.9, anchor: 'middle', opacity })}</g>`

const drawLabel = (text: string, x: number, y: number) => drawText(text, x, y, { color: soft, size: 6.4, weight: 1.3 })
const drawValue = (text: string, x: number, y: number, size = 10) =>
  drawText(text, x, y, { color: ink, size, weight: 1.9 })

const drawCard = (drawing: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="856" height="540" viewBox="0 0 428 270">${paper}${drawing}${drawSpecimenMark(214, 148, -18, '#b0384a', 0.3)}</svg>`

export function drawFront(holder: Card, face: Face): string {
  const portrait = `<svg x="22" y="62" width="108" height="136" viewBox="-10 40 380 440" preserveAspectRatio="xMidYMin slice"><rect x="-40" y="0" width="460" height="520" fill="#d3dde5"/>${drawFace(face)}</svg>`
  const chip =
    '<rect x="352" y="58" width="52" height="40" rx="6" fill="#d7c27a"/><path d="M352 71h18m16 0h18M352 85h18m16 0h18M370 58v40m16-40v40" stroke="#a8924a" stroke-width="1.2" fill="none"/>'
  const signature = `<path d="M150 244c10-16 14 8 22-4s8-14 14-2 14 4 22-6 10 8 26 2" fill="none" stroke="${ink}" stroke-width="1.6"/>`
  return drawCard(`<rect width="428" height="40" fill="${holder.color}"/>
${drawText(holder.title, 20, 26, { color: '#fff', size: 11, weight: 2 })}
${drawText(holder.country, 408, 25, { color: '#dbe5ee', size: 9, weight: 1.6, anchor: 'end' })}
${portrait}${chip}${signature}
${drawLabel('SURNAME', 150, 72)}${drawValue(holder.family.slice(0, 17), 150, 90, 11)}
${drawLabel('GIVEN NAMES', 150, 112)}${drawValue(holder.given.slice(0, 20), 150, 130, 11)}
${drawLabel('DATE OF BIRTH', 150, 152)}${drawValue(holder.dateOfBirth, 150, 169)}
${drawLabel('SEX', 316, 152)}${drawValue(holder.sex, 316, 169)}
${drawLabel('DOCUMENT NO.', 150, 191)}${drawValue(holder.number, 150, 208)}
${drawLabel('DATE OF EXPIRY', 316, 191)}${drawValue(holder.expires, 316, 208)}`)
}

const drawMonoLine = (text: string, y: number) =>
  drawText(text, 24, y, { color: ink, size: 14.4, weight: 1.5, isMono: true })

export function drawBack(holder: Card): string {
  const bars = Array.from({ length: 64 }, (_, n) => {
    const width = [1, 3.4, 1.4, 2.4][(n * 7 + Math.floor(n / 5)) % 4]!
    return `<rect x="${22 + n * 6}" y="112" width="${width}" height="38" fill="${ink}"/>`
  }).join('')
  const [first, second, third] = buildMachineLines(holder)
  return drawCard(`${drawLabel('ISSUING AUTHORITY', 22, 34)}${drawValue('CIVIL REGISTRY OFFICE', 22, 52)}
${drawLabel('PLACE OF ISSUE', 216, 34)}${drawValue(holder.country, 216, 52)}
${drawLabel('REGISTRY NO.', 22, 76)}${drawValue('298 314 507', 22, 94)}
${drawLabel('SERIES', 216, 76)}${drawValue('11 984 220', 216, 94)}${bars}
<rect y="172" width="428" height="98" fill="#f7f9fa"/>
${drawMonoLine(first, 198)}
${drawMonoLine(second, 224)}
${drawMonoLine(third, 250)}`)
}

const padField = (text: string, length: number) =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '<')
    .padEnd(length, '<')
    .slice(0, length)

const readCharacterValue = (letter: string) => (letter === '<' ? 0 : Number.parseInt(letter, 36))

/** The check digit of ICAO 9303: weights 7, 3, 1. Letters count from 10, fillers 0. */
function checkDigit(text: string): string {
  return String(
    Array.from(text).reduce((sum, letter, at) => sum + readCharacterValue(letter) * [7, 3, 1][at % 3]!, 0) % 10,
  )
}

/** `14 03 1991` in machine-readable lines: `910314`. */
const formatShortDate = (date: string) => date.split(' ').toReversed().join('').slice(2)

/** The three machine-readable lines of an identity card (ICAO 9303, TD1). */
function buildMachineLines({
  country,
  number,
  dateOfBirth,
  sex,
  expires,
  family,
  given,
}: Card): [string, string, string] {
  const checked = (text: string) => text + checkDigit(text)
  const document = checked(padField(number.replaceAll(' ', ''), 9))
  const first = padField(`I<${country}${document}`, 30)
  const dates = [checked(formatShortDate(dateOfBirth)), checked(formatShortDate(expires))] as const
  const second = padField(`${dates[0]}${sex}${dates[1]}${country}`, 29)
  const all = first.slice(5) + dates[0] + dates[1] + second.slice(18)
  return [first, second + checkDigit(all), padField(`${family}<<${given}`, 30)]
}

export function drawSelfie(face: Face): string {
  const window =
    '<rect x="232" width="128" height="480" fill="#000" opacity=".08"/><rect x="250" y="40" width="90" height="130" fill="#dfe6e8" stroke="#8b999d" stroke-width="4"/><path d="M250 105h90M295 40v130" stroke="#8b999d" stroke-width="3"/>'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="630" height="840" viewBox="0 0 360 480"><rect width="360" height="480" fill="${face.wall}"/>${window}${drawFace(face)}${drawSpecimenMark(180, 240, -32, '#ffffff', 0.5)}</svg>`
}

/** The picture as a member's phone would send it. */
export async function renderJpeg(svg: string): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(Buffer.from(svg)).flatten({ background: '#ffffff' }).jpeg({ quality: 90 }).toBuffer()
}
