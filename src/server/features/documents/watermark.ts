import anyAscii from 'any-ascii'
import { formatInstant } from '#server/lib/errors.ts'
import { createLimiter } from '#server/lib/concurrency-limit.ts'
import { drawText, measureText } from '#server/lib/stroke-text.ts'
import { largePixels } from './image.ts'
import { loadSharp } from './sharp.ts'

// Apart from the limiter of uploads, so that those never keep an operator from looking.
const busy = 'Too many pictures at once; try again in a moment'
const limitMarks = createLimiter(2, 64, busy)
/** One with 40 megapixels takes 300 MB. */
const limitLargeMarks = createLimiter(1, 64, busy)

const quality = 88
/** Of the picture's shorter side. */
const textSize = 1 / 46
const smallestText = 9
const mostLetters = 40

/** Latin letters of any name, since the strokes have no others. Nothing of the name is left out without a trace. */
function writeName(name: string): string {
  const latin = anyAscii(name).toUpperCase()
  const shown = latin.length > mostLetters ? `${latin.slice(0, mostLetters - 1)}+` : latin
  return shown.replaceAll(/[^\w.@+' -]/g, '?')
}

/** Who looks at a picture, and when: “ADMIN · NOV 27 2026 06:47 UTC”. */
export const describeView = (name: string, at: Date): string =>
  `${writeName(name)} · ${formatInstant(at.toISOString()).replace(',', '').replace(' at', '').toUpperCase()}`

/**
 * A tile that repeats over the whole picture: the text dark and light, so that it is seen on any background, and both
 * faint, so that what lies below can be read.
 */
function drawTile(text: string, { width, height }: { width: number; height: number }): string {
  const letters = measureText(text) + 4
  // All of the text fits into the picture's width, however narrow that is.
  const size = Math.min(Math.max(smallestText, Math.min(width, height) * textSize), width / letters)
  const tileWidth = Math.min(width, Math.ceil(letters * size))
  const tileHeight = Math.min(height, Math.ceil(tileWidth * 0.62))
  const [x, y] = [2 * size, tileHeight / 2]
  const drawn =
    drawText(text, x + 1, y + 1, { color: '#ffffff', size, weight: 1.6, opacity: 0.1 }) +
    drawText(text, x, y, { color: '#101828', size, weight: 1.6, opacity: 0.16 })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${tileWidth}" height="${tileHeight}">
    <g transform="rotate(-12 ${tileWidth / 2} ${tileHeight / 2})">${drawn}</g></svg>`
}

/** The picture with the text over all of it, as a new JPEG. The given bytes stay as they are. Throws overloaded. */
export function markPicture(picture: Buffer, text: string): Promise<Buffer> {
  return limitMarks(async () => {
    const sharp = await loadSharp()
    const header = await sharp(picture).metadata()
    const mark = () =>
      sharp(picture)
        .composite([{ input: Buffer.from(drawTile(text, header)), tile: true }])
        .jpeg({ quality })
        .timeout({ seconds: 20 })
        .toBuffer()
    return header.width * header.height > largePixels ? limitLargeMarks(mark) : mark()
  })
}
