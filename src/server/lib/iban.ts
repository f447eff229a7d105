import { compactIban, hasRightDigits, mod97 } from '#contract/iban.ts'

/** Whether a text without blanks is an IBAN with the right check digits. */
export const isIban = (text: string) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) && hasRightDigits(text)

/** The IBAN that a text is, in compact form, or null. */
export function parseIban(text: string): string | null {
  const compact = compactIban(text)
  return isIban(compact) ? compact : null
}

/** Whether a text is an ISO 11649 reference: "RF", two check digits, up to 21 letters and digits. */
export const isRf = (text: string) => /^RF\d{2}[A-Z0-9]{1,21}$/.test(text) && hasRightDigits(text)

/** The ISO 11649 reference of a text's letters and digits; undefined where they are none or more than 21. */
export function toRf(text: string): string | undefined {
  const body = text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  if (!/^[A-Z0-9]{1,21}$/.test(body)) return undefined
  return `RF${String(98 - mod97(`${body}RF00`)).padStart(2, '0')}${body}`
}

/** The IBANs that a text holds. A word behind an IBAN may look like one more group of four, so shorter ones count too. */
export function ibansIn(text: string): string[] {
  const candidates = text.toUpperCase().match(/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g) ?? []
  return candidates.flatMap((candidate) => {
    const groups = candidate.split(' ')
    for (let length = groups.length; length > 0; length -= 1) {
      const iban = groups.slice(0, length).join('')
      if (isIban(iban)) return [iban]
    }
    return []
  })
}
