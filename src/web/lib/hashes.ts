/** `0x1234…abcd`; what is already short stays whole. */
export const shortenHash = (hash: string): string => (hash.length > 13 ? `${hash.slice(0, 6)}…${hash.slice(-4)}` : hash)

/** The symbol of a token, or the address of one that is not registered and has no symbol. */
export const nameToken = (unit: string): string => (unit.startsWith('0x') ? shortenHash(unit) : unit)
