import type { Random } from '#demo/platform/random.ts'
import { dayAt, makeDigits, pickWeighted } from './draw.ts'
import { type Payer, toSepaName } from './people.ts'

/** An order number as people write it. */
export function spellNumber(random: Random, number: string): string {
  const [prefix = '', digits = ''] = number.split('-')
  const forms = {
    plain: number,
    lower: number.toLowerCase(),
    blank: `${prefix} ${digits}`,
    joined: `${prefix}${digits}`,
    spaced: `${prefix} ${digits.slice(0, 3)} ${digits.slice(3)}`,
    slash: `${prefix}/${digits}`,
    colon: `${prefix}: ${digits}`,
  }
  const shares = { plain: 52, lower: 12, blank: 12, joined: 10, spaced: 5, slash: 5, colon: 4 }
  return forms[pickWeighted(random, shares)]
}

/** What people write around the reference. */
export function writeText(random: Random, reference: string, project: string, member: Payer): string {
  const name = toSepaName(member)
  return random.pick([
    reference,
    reference,
    `${reference} ${project}`,
    `Order ${reference}`,
    `Investimento ${reference} ${name}`,
    `Auftrag Nr. ${reference}`,
    `Zahlung fuer ${reference}, ${project}`,
    `betaling ${reference} ${name}`,
    `${project} - ${reference}`,
    `Pago pedido ${reference} ${dayAt(random.whole(-12, -2))}`,
    `virement ${reference} de ${name} tel 0${makeDigits(random, 9)}`,
    `ref.${reference} payment from ${name} for my investment in ${project}, thank you very much`,
  ])
}

/** What people write who name no order. */
export function writeUnnamedText(random: Random, project: string, member: Payer): string {
  const name = toSepaName(member)
  return random.pick([
    '',
    'Investment',
    'Transferencia',
    project,
    `${project} ${name}`,
    name,
    'Ueberweisung',
    `MB-${makeDigits(random, 8)}`,
    `tel ${makeDigits(random, 9)}`,
    'Zahlung',
  ])
}

export const writeUnrelatedText = (random: Random, digits: string): string =>
  random.pick([
    `Rechnung ${digits}`,
    `REFUND INV ${digits}`,
    `Gutschrift Kd.Nr. ${makeDigits(random, 8)}`,
    `Erstattung Beitrag ${makeDigits(random, 4)}`,
    'Miete November',
    `Devolucao fatura FT 2026/${makeDigits(random, 4)}`,
    `Settlement ${makeDigits(random, 10)}`,
    '',
  ])

/** What eyes, thumbs and scanners do to a number such as ORD-010240. */
export function garbleNumber(random: Random, number: string): string {
  const [prefix = '', digits = ''] = number.split('-')
  const at = random.whole(0, digits.length - 1)
  const replaceDigit = (text: string) => `${prefix}-${digits.slice(0, at)}${text}${digits.slice(at + 1)}`
  const forms = {
    substituted: () => replaceDigit(String((Number(digits[at]) + random.whole(1, 9)) % 10)),
    swapped: () => {
      const first = [...digits].findIndex((digit, n) => n < digits.length - 1 && digit !== digits[n + 1])
      if (first < 0) return number
      const swapped = `${digits[first + 1]}${digits[first]}`
      return `${prefix}-${digits.slice(0, first)}${swapped}${digits.slice(first + 2)}`
    },
    missing: () => replaceDigit(''),
    doubled: () => replaceDigit(`${digits[at]}${digits[at]}`),
    alike: () => `${prefix}-${digits.replace('0', 'O')}`.replace('ORD', random.chance(0.3) ? '0RD' : 'ORD'),
    digits: () => (random.chance(0.5) ? digits : String(Number(digits))),
    cut: () => number.slice(1),
    prefix: () => `ODR-${digits}`,
  }
  const shares = { substituted: 25, swapped: 15, missing: 10, doubled: 10, alike: 15, digits: 15, cut: 5, prefix: 5 }
  return forms[pickWeighted(random, shares)]()
}
