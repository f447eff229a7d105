/** How long an IBAN is, by country (registry of ISO 13616). */
const lengths =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 ' +
  'FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 ' +
  'LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 ' +
  'SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'

const lengthOf = new Map(lengths.split(' ').map((each) => [each.slice(0, 2), Number(each.slice(2))]))

/** The shortest IBAN. A shorter number that begins like one is a bank's own. */
const shortest = 15

/** Country and check digits: what begins so in a field for IBANs is meant as one. */
export const leastIban = 4

/** ISO 7064 mod 97-10 of capital letters and digits, letters as 10 to 35. The right check digits leave 1. */
export function mod97(text: string): number {
  let rest = 0
  for (const char of text) {
    const value = Number.parseInt(char, 36)
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97
  }
  return rest
}

/** The first four characters are checked last. */
export const hasRightDigits = (text: string): boolean => mod97(text.slice(4) + text.slice(0, 4)) === 1

/** Letters and digits alone, in capitals. */
export const compactIban = (text: string): string => text.replace(/[\s.-]/g, '').toUpperCase()

/**
 * What is wrong with a number that looks like an IBAN: two letters of a country that has them, two digits, and at least
 * `least` characters. Null of a right one, and of a bank's own number, which has no rule.
 */
export function findIbanProblem(text: string, least = shortest): string | null {
  const compact = compactIban(text)
  const length = /^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(compact) ? lengthOf.get(compact.slice(0, 2)) : undefined
  if (length === undefined || compact.length < least) return null
  if (compact.length !== length)
    return `an IBAN of ${compact.slice(0, 2)} has ${length} characters, this one has ${compact.length}`
  return hasRightDigits(compact) ? null : 'the check digits of this IBAN do not fit'
}
