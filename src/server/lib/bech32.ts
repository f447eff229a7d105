/** The text form of age's keys (BIP 173), without its limit of 90 characters. */
const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

function computeChecksum(values: readonly number[]): number {
  let checksum = 1
  for (const value of values) {
    const top = checksum >>> 25
    checksum = ((checksum & 0x1ffffff) << 5) ^ value
    for (const [bit, generator] of generators.entries()) if ((top >>> bit) & 1) checksum ^= generator
  }
  return checksum >>> 0
}

const expand = (prefix: string) => {
  const codes = Array.from(prefix, (letter) => letter.charCodeAt(0))
  return [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)]
}

/** The same bits in groups of another size. Undefined if bits are left over that are no padding. */
function regroup(values: Iterable<number>, from: number, to: number, isPadded: boolean): number[] | undefined {
  const groups: number[] = []
  let bits = 0
  let held = 0
  for (const value of values) {
    held = (held << from) | value
    bits += from
    while (bits >= to) {
      bits -= to
      groups.push((held >>> bits) & ((1 << to) - 1))
    }
    held &= (1 << bits) - 1
  }
  if (isPadded) return bits > 0 ? [...groups, (held << (to - bits)) & ((1 << to) - 1)] : groups
  return bits >= from || held !== 0 ? undefined : groups
}

/** Writes bytes in lower case behind a prefix. */
export function encodeBech32(prefix: string, bytes: Buffer): string {
  const values = regroup(bytes, 8, 5, true)!
  const checksum = computeChecksum([...expand(prefix), ...values, 0, 0, 0, 0, 0, 0]) ^ 1
  const tail = Array.from({ length: 6 }, (_, at) => (checksum >>> (5 * (5 - at))) & 31)
  return `${prefix}1${[...values, ...tail].map((value) => alphabet[value]).join('')}`
}

/** The bytes behind this prefix. Undefined if the text is in mixed case, mistyped, or of another prefix. */
export function decodeBech32(prefix: string, text: string): Buffer | undefined {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return undefined
  const lower = text.toLowerCase()
  const at = lower.lastIndexOf('1')
  if (lower.slice(0, at) !== prefix || lower.length - at < 7) return undefined
  const values = Array.from(lower.slice(at + 1), (letter) => alphabet.indexOf(letter))
  if (values.includes(-1) || computeChecksum([...expand(prefix), ...values]) !== 1) return undefined
  const bytes = regroup(values.slice(0, -6), 5, 8, false)
  return bytes && Buffer.from(bytes)
}
