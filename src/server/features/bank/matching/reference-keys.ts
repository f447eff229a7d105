/** An order number in capitals, letters and digits only. `reference_key` in the database. */
export const foldNumber = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase()

const lookAlikes: Record<string, string> = { O: '0', Q: '0', D: '0', I: '1', L: '1', S: '5', B: '8', Z: '2', G: '6' }

/** A folded number with each letter that looks like a digit as that digit. */
export const foldLookAlikes = (key: string): string => key.replaceAll(/[OQDILSBZG]/g, (letter) => lookAlikes[letter]!)

/** The fewest digits that name an order by themselves. */
export const fewestDigits = 4

/** The digits at the end of a folded number, without zeros before them. */
export const foldDigits = (key: string): string => (/\d+$/.exec(key)?.[0] ?? '').replace(/^0+/, '')

/** The key, and the key without each of its letters. Two keys within one edit have one of these in common. */
export function listDeletions(key: string): Set<string> {
  const found = new Set([key])
  for (let at = 0; at < key.length; at++) found.add(key.slice(0, at) + key.slice(at + 1))
  return found
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.split('')

/**
 * Every folded number of one of these lengths that is within one edit of the word: a letter changed, added, left out, or
 * swapped with its neighbour.
 */
export function listNeighbours(word: string, lengths: ReadonlySet<number>): Set<string> {
  const found = new Set<string>()
  const { length } = word
  for (let at = 0; at <= length; at++) {
    const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)]
    if (lengths.has(length + 1)) for (const added of alphabet) found.add(before + added + letter + after)
    if (at === length) break
    if (lengths.has(length - 1)) found.add(before + after)
    if (!lengths.has(length)) continue
    for (const other of alphabet) found.add(before + other + after)
    found.add(before + after.charAt(0) + letter + after.slice(1))
  }
  return found
}

/** Whether a folded number cannot be in a text by chance, as a short one or a few digits can. */
export function isStrongNumber(key: string): boolean {
  const digits = key.replaceAll(/\D/g, '').length
  return digits >= 8 || (key.length - digits >= 2 && digits >= 4 && key.length >= 7)
}
