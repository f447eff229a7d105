import type { LiveList } from '#contract/live.ts'
import type { ImportLine, ImportLineType } from '#contract/schemas/platform.ts'
import { announce } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError, sqlState } from '#server/lib/errors.ts'
import { saveKycAttempts } from '#server/features/kyc/service.ts'
import { saveOrders } from '#server/features/orders/service.ts'
import { saveTokens } from '#server/features/tokens/service.ts'
import {
  saveChainTransactions,
  saveFractions,
  savePlatformTransactions,
} from '#server/features/transactions/service.ts'
import { saveMembers } from '#server/features/members/service.ts'
import { saveWallets } from '#server/features/wallets/service.ts'
import { unknownMemberError, type Outcome } from '#server/core/upsert.ts'
import { omit } from '#server/lib/omit.ts'

export interface Line {
  line: number
  value: ImportLine
}
type LineOf<T extends ImportLineType> = { line: number; value: ImportLine<T> }

/**
 * Writes lines as if one after the other. Returns the outcome of each by its number. If one line breaks the statement,
 * writes halves in order until that line is alone.
 */
export async function writeLines(tx: Tx, ctx: Ctx, lines: readonly Line[]): Promise<Map<number, Outcome>> {
  if (lines.length === 0) return new Map()
  try {
    return await tx.transaction((part) => writeAll(part, ctx, lines))
  } catch (error) {
    if (!isRowFault(error)) throw error
    if (lines.length > 1) {
      const middle = Math.ceil(lines.length / 2)
      const first = await writeLines(tx, ctx, lines.slice(0, middle))
      return new Map([...first, ...(await writeLines(tx, ctx, lines.slice(middle)))])
    }
    ctx.log.warn({ err: error, line: lines[0]?.line }, 'an import line could not be stored')
    return new Map([[lines[0]!.line, new AppError('invalid', 'the database refuses a value of this line')]])
  }
}

/** The item of a line, without its type. */
const withoutType = <T extends { type: string }>(value: T): Omit<T, 'type'> => omit(value, ['type'])

/** Classes 22 and 23: a value that PostgreSQL cannot store, or a violated constraint. */
const isRowFault = (error: unknown) => /^2[23]/.test(sqlState(error) ?? '')

/**
 * Writes type by type. Members come first, because the others refer to them. Refuses a line whose member is created
 * only by a later line, as if written one after the other.
 */
async function writeAll(tx: Tx, ctx: Ctx, lines: readonly Line[]): Promise<Map<number, Outcome>> {
  const outcomes = new Map<number, Outcome>()
  const createdAtLine = new Map<string, number>()
  const pickLines = <T extends ImportLineType>(type: T) =>
    lines.filter((entry): entry is LineOf<T> => {
      if (entry.value.type !== type) return false
      const memberId = 'memberId' in entry.value ? entry.value.memberId : undefined
      if (memberId === undefined || (createdAtLine.get(memberId) ?? 0) < entry.line) return true
      outcomes.set(entry.line, unknownMemberError(memberId))
      return false
    })
  const saveType = async <T extends ImportLineType, Item>(
    type: T,
    save: (tx: Tx, ctx: Ctx, items: Item[]) => Promise<Outcome[]>,
    toItem: (value: ImportLine<T>) => Item,
  ) => {
    const chosen = pickLines(type)
    if (chosen.length === 0) return
    const saved = await save(
      tx,
      ctx,
      chosen.map((entry) => toItem(entry.value)),
    )
    for (const [at, entry] of chosen.entries()) {
      outcomes.set(entry.line, saved[at]!)
      if (type === 'member' && saved[at] === 'created')
        createdAtLine.set((entry.value as ImportLine<'member'>).id, entry.line)
    }
  }
  await saveType('member', saveMembers, withoutType)
  await saveType('wallet', saveWallets, withoutType)
  await saveType('order', saveOrders, withoutType)
  await saveType('transaction', savePlatformTransactions, ({ kind, ...item }) => ({ ...item, type: kind }))
  await saveType('fraction', saveFractions, withoutType)
  await saveType('token', saveTokens, withoutType)
  await saveType('chainTransaction', saveChainTransactions, withoutType)
  await saveType('kyc', saveKycAttempts, withoutType)
  const lists = changedLists(lines, outcomes)
  if (lists.length > 0 && !ctx.isDryRun) await announce(tx, ...lists)
  return outcomes
}

/** The lists that show the data of each type. */
export const listsOf: Record<ImportLineType, LiveList[]> = {
  // Lists of orders and KYC show the member's name.
  member: ['users', 'analytics', 'orders', 'kyc'],
  order: ['orders'],
  kyc: ['users', 'analytics', 'kyc'],
  wallet: ['users'],
  fraction: ['users'],
  token: ['tokens', 'analytics'],
  transaction: ['users', 'transactions', 'analytics'],
  chainTransaction: ['users', 'chainTransactions'],
}

function changedLists(lines: readonly Line[], outcomes: ReadonlyMap<number, Outcome>): LiveList[] {
  const changes = lines.filter(({ line }) => outcomes.get(line) === 'created' || outcomes.get(line) === 'updated')
  return [...new Set(changes.flatMap(({ value }) => listsOf[value.type]))]
}
