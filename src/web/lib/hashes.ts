/** `0x1234…abcd`; what is already short stays whole. */
export const shortenHash = (hash: string): string => (hash.length > 13 ? `${hash.slice(0, 6)}…${hash.slice(-4)}` : hash)
