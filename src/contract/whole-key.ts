/** Text without what copying brings along. */
const removeCopyMarks = (search: string) =>
  search.replaceAll(/[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF"'“”<>,;]/g, '')

/** A whole transaction hash or wallet address, however it was copied: with `0x` and in lower case; null for other text. */
export function parseWholeKey(search: string): string | null {
  const copied = removeCopyMarks(search)
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(copied)?.[1] ?? /^0x([0-9a-f]{40})$/i.exec(copied)?.[1]
  return digits === undefined ? null : `0x${digits.toLowerCase()}`
}

/** A hash or address, or at least 6 digits of its beginning, however it was copied; null for other text. */
export function parseKeyBeginning(search: string): string | null {
  const digits = /^(?:0x)?([0-9a-f]{6,64})$/i.exec(removeCopyMarks(search))?.[1]
  return digits === undefined ? null : `0x${digits.toLowerCase()}`
}
