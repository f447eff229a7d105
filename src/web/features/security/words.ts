/** Short forms that are spelled in capitals. */
const capitals = new Map([
  ['kyc', 'KYC'],
  ['ip', 'IP'],
  ['id', 'ID'],
  ['ids', 'IDs'],
  ['csv', 'CSV'],
  ['iban', 'IBAN'],
  ['swift', 'SWIFT'],
])

/** A machine's name in words: `sign_in_locked` → `Sign in locked`, `kycStatus` → `KYC status`. */
export function asWords(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/)
    .filter(Boolean)
    .map((word) => capitals.get(word) ?? word)
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
