/** Removes what copying adds. */
const removeCopyMarks = (search: string) =>
  search.replaceAll(/[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF"'“”<>,;]/g, '')

/** Parses a whole transaction hash or wallet address, copied anyhow, to `0x` and lower case. Null for other text. */
export function parseWholeKey(search: string): string | null {
  const copied = removeCopyMarks(search)
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(copied)?.[1] ?? /^0x([0-9a-f]{40})$/i.exec(copied)?.[1]
  return digits === undefined ? null : `0x${digits.toLowerCase()}`
}

/** Parses a hash or address, or at least 6 digits of its beginning, copied in any way. Null for other text. */
export function parseKeyBeginning(search: string): string | null {
  const digits = /^(?:0x)?([0-9a-f]{6,64})$/i.exec(removeCopyMarks(search))?.[1]
  return digits === undefined ? null : `0x${digits.toLowerCase()}`
}
