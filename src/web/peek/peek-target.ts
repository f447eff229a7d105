/** What Peek can show, with the letter that begins its address. */
const letters = { member: 'm', order: 'o', bankLine: 'b', message: 'e' } as const
export type PeekKind = keyof typeof letters

/** One record for Peek, with its id as in its calls. */
export interface PeekTarget {
  kind: PeekKind
  id: string
}

/** The value of `?peek=`: `m-834a83`. */
export const writePeek = ({ kind, id }: PeekTarget): string => `${letters[kind]}-${id}`

const kinds = Object.fromEntries(Object.entries(letters).map(([kind, letter]) => [letter, kind as PeekKind]))

/** Null for what is not a target. Whether there is such a record, only its call knows. */
export function readPeek(value: unknown): PeekTarget | null {
  const [, letter = '', id] = typeof value === 'string' ? (/^([a-z])-(.{1,200})$/u.exec(value) ?? []) : []
  const kind = kinds[letter]
  return kind && id ? { kind, id } : null
}
