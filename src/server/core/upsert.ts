import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { textArray } from '#server/db/parameters.ts'
import { AppError } from '#server/lib/errors.ts'

/** The condition of a change: the present version, that the row exists, or that it does not. */
export type Precondition = number | 'exists' | 'absent'

/** The outcome of one item of a batch. A refusal is the error of the single call. */
export type Outcome = 'created' | 'updated' | 'unchanged' | AppError

/**
 * Returns `present` itself if nothing differs. An undefined field of `change` keeps the stored value. A field that is
 * absent from `present`, as in a row that is not stored yet, is null.
 */
export function applyChange<Row extends object>(present: Row, change: Partial<Row>): Row {
  const differing = Object.entries(change).filter(
    ([name, value]) => value !== undefined && value !== (present[name as keyof Row] ?? null),
  )
  return differing.length === 0 ? present : { ...present, ...Object.fromEntries(differing) }
}

export interface AppliedItems<Row> {
  outcomes: Outcome[]
  inserts: Row[]
  updates: Row[]
}

/**
 * Applies items one after the other to locked rows in memory, so that a batch of any size needs a constant number of
 * statements. `apply` returns the row after the item, `present` itself if nothing changes, or the refusal.
 */
export function applyItems<Item, Row extends object>(
  items: readonly Item[],
  stored: ReadonlyMap<string, Row>,
  keyOf: (item: Item) => string,
  apply: (item: Item, present: Row | undefined) => Row | AppError,
): AppliedItems<Row> {
  const rows = new Map(stored)
  const inserts = new Set<string>()
  const updates = new Set<string>()
  const outcomes = items.map((item): Outcome => {
    const key = keyOf(item)
    const present = rows.get(key)
    const after = apply(item, present)
    if (after instanceof AppError) return after
    if (after === present) return 'unchanged'
    rows.set(key, after)
    if (!present) inserts.add(key)
    else if (!inserts.has(key)) updates.add(key)
    return present ? 'updated' : 'created'
  })
  const collect = (keys: Set<string>) => [...keys].map((key) => rows.get(key)!)
  return { outcomes, inserts: collect(inserts), updates: collect(updates) }
}

/** Who of the members of a batch may get something new. */
export interface KnownMembers {
  has(id: string): boolean
  /** Why this member may not; undefined if nothing is in the way. */
  refuse(id: string): AppError | undefined
}

/** Reads the members of these items. Nobody erases one of them before the transaction ends. */
export async function findKnownMembers(tx: Tx, items: readonly { memberId: string }[]): Promise<KnownMembers> {
  const ids = items.map((item) => item.memberId)
  const found = await tx.execute<{ id: string; isErased: boolean }>(sql`
    SELECT id, erased_at IS NOT NULL AS "isErased" FROM members WHERE id = ANY(${textArray(ids)}) ORDER BY id FOR KEY SHARE`)
  const erased = new Map(found.rows.map((row) => [row.id, row.isErased]))
  return {
    has: (id) => erased.get(id) === false,
    refuse: (id) => (erased.has(id) ? (erased.get(id) ? erasedMemberError(id) : undefined) : unknownMemberError(id)),
  }
}

/** Refuses a change whose precondition does not hold. */
export function checkPrecondition(
  what: string,
  precondition: Precondition | undefined,
  present: { version: number } | undefined,
): AppError | undefined {
  if (precondition === undefined || isMet(precondition, present)) return undefined
  const header = precondition === 'absent' ? 'If-None-Match' : 'If-Match'
  const stands = present ? `is at version ${present.version} now` : 'is not there'
  const expected = typeof precondition === 'number' ? `, not at version ${precondition}` : ''
  return new AppError('stale', `${header}: this ${what} ${stands}${expected}`, {
    details: { version: present?.version ?? null },
  })
}

function isMet(precondition: Precondition, present: { version: number } | undefined): boolean {
  if (precondition === 'absent') return present === undefined
  return precondition === 'exists' ? present !== undefined : present?.version === precondition
}

/** The refusal of everything new about an erased member. */
export const erasedMemberError = (id: string) =>
  new AppError('member_erased', `The member ${id} was erased; nothing new is taken of this id`)

export const unknownMemberError = (id: string) => new AppError('not_found', `memberId: there is no member ${id}`)
