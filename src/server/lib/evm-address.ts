import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { addressForm } from '#contract/common.ts'

const isLetter = /[a-fA-F]/

/** EIP-55: a letter is upper case if the hash of the lower-case address has a digit of 8 or more at its place. */
function hasValidChecksum(digits: string): boolean {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits.toLowerCase())))
  return Array.from(digits).every(
    (digit, at) => !isLetter.test(digit) || (digit === digit.toUpperCase()) === Number.parseInt(hash[at]!, 16) >= 8,
  )
}

/**
 * The address in the stored form, lower case. Null if it is invalid. Mixed case requires a valid EIP-55 checksum.
 */
export function parseAddress(value: string): string | null {
  if (!addressForm.test(value)) return null
  const digits = value.slice(2)
  const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits)
  return !isMixed || hasValidChecksum(digits) ? value.toLowerCase() : null
}
