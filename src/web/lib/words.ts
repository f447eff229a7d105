/** `national_id_card` → `National id card`. Any other text stays as the platform wrote it. */
export const formatMachineWord = (value: string): string =>
  /^[a-z]+([_-][a-z]+)*$/.test(value) ? capitalize(value.replaceAll(/[_-]/g, ' ')) : value

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

/** A name of our own code in words: `sign_in_locked` → `Sign in locked`, `kycStatus` → `KYC status`. */
export const formatMachineName = (name: string): string =>
  capitalize(
    name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .split(/[_-]+/)
      .filter(Boolean)
      .map((word) => capitals.get(word) ?? word)
      .join(' '),
  )

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Who started an attempt to send: "by ada" for an operator, "automatic" for the queue. */
export const describeStarter = (startedBy: string): string => (startedBy === 'queue' ? 'automatic' : `by ${startedBy}`)
