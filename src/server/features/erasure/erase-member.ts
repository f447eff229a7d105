import { platformEvent } from '#contract/schemas/platform-events.ts'
import { announce, audit, deletePersonalDetails, detailsOfNobody } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { enqueueEvent } from '#server/core/enqueue.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { searchTexts } from '#server/db/search-texts.ts'
import { eraseApprovals } from '#server/features/approvals/service.ts'
import { eraseBulkReasons } from '#server/features/bulk/service.ts'
import { countWaitingLines, erasePayer, readLinesAhead, readPayerTraces } from '#server/features/bank/service.ts'
import { deleteDocuments, deleteFiles } from '#server/features/documents/service.ts'
import { eraseKyc } from '#server/features/kyc/service.ts'
import { eraseMessages } from '#server/features/messages/service.ts'
import { eraseNotes } from '#server/features/notes/service.ts'
import { eraseOrderNotes } from '#server/features/orders/service.ts'
import { requireNoHold } from '#server/features/retention/service.ts'
import { eraseEventTexts, eventTexts } from '#server/features/security/service.ts'
import { emptyMember, lockForErasure, type StoredMember } from '#server/features/members/service.ts'
import { deleteWallets } from '#server/features/wallets/service.ts'
import { reportErasures, reportRefusedErasure, requireErasable } from './limit.ts'
import { requireNoOpenMoney } from './open-money.ts'

interface Erasure {
  outcome: 'erased' | 'unchanged'
  erasedAt: string
}

/** What tells the person, to be looked for in texts of a bank: a name of one word tells nobody. */
const listTraces = ({ email, legalFirstName, legalLastName, legalPhone }: StoredMember): string[] => {
  const names = [legalFirstName, legalLastName].map((name) => name?.trim()).filter(Boolean)
  const orders = [names.join(' '), names.toReversed().join(' ')].filter((name) => name.includes(' '))
  return [email, ...orders, ...(legalPhone ? [legalPhone] : [])]
}

/** What tells the person, to be looked for where a text may name it. */
const listValues = ({ email, legalFirstName, legalLastName, legalPhone }: StoredMember): string[] =>
  [email, legalPhone, legalFirstName && legalLastName && `${legalFirstName} ${legalLastName}`].filter(
    (value): value is string => Boolean(value),
  )

/**
 * Erases a member, for ever: what tells the person is removed or replaced, orders, money and the audit log keep ids
 * (product 7.13). `record` runs in the transaction. An erased member stays as it is. Throws not_found, erasure_limit,
 * legal_hold, money_open, and store_unavailable.
 */
export async function eraseMember(
  ctx: Ctx,
  id: string,
  record: (tx: Tx, erasure: Erasure) => Promise<void> = async () => {},
): Promise<Erasure> {
  // A store that is away would keep the pictures of somebody who counts as erased.
  await ctx.documents.files.readMark()
  try {
    const { member } = await inTransaction(ctx, (tx) => lockErasable(tx, ctx, id))
    const ahead = await searchAhead(ctx.database.db, member)
    const { erasure, files } = await inTransaction(ctx, async (tx) => {
      const done = await eraseInTransaction(tx, ctx, id, ahead)
      await record(tx, done.erasure)
      return done
    })
    await deleteFiles(ctx, files)
    return erasure
  } catch (error) {
    await reportRefusedErasure(ctx, error)
    throw error
  }
}

/** The locked member, and how many the key has erased before. One who is erased already is not refused. */
async function lockErasable(tx: Tx, ctx: Ctx, id: string) {
  const member = await lockForErasure(tx, id)
  if (member.erasedAt !== null) return { member, earlier: 0 }
  const earlier = await requireErasable(tx, ctx)
  await requireNoHold(tx, id)
  return { member, earlier }
}

/** Searches texts that may name the member, before the member is locked: minutes, where there are millions of them. */
async function searchAhead(db: Db, member: StoredMember) {
  const [traces, values] = member.erasedAt === null ? [listTraces(member), listValues(member)] : [[], []]
  return {
    lines: await readLinesAhead(db, member.id, traces),
    details: await searchTexts(db, detailsOfNobody, values),
    events: await searchTexts(db, eventTexts, values),
  }
}

async function eraseInTransaction(tx: Tx, ctx: Ctx, id: string, ahead: Awaited<ReturnType<typeof searchAhead>>) {
  const { member, earlier } = await lockErasable(tx, ctx, id)
  if (member.erasedAt !== null)
    return { erasure: { outcome: 'unchanged', erasedAt: member.erasedAt } as Erasure, files: [] }
  const traces = await readPayerTraces(tx, id, listTraces(member), ahead.lines)
  await requireNoOpenMoney(tx, id, await countWaitingLines(tx, id, traces))
  const kyc = await eraseKyc(tx, id)
  const files = await deleteDocuments(tx, id)
  const messages = await eraseMessages(tx, ctx, id)
  const lines = await erasePayer(tx, id, traces)
  const notes = (await eraseOrderNotes(tx, id)) + (await eraseNotes(tx, id))
  const values = listValues(member)
  const approvals = await eraseApprovals(tx, id, values)
  const bulkReasons = await eraseBulkReasons(tx, id)
  const events = await eraseEventTexts(tx, values, ahead)
  const wallets = await deleteWallets(tx, id)
  const { version, erasedAt } = await emptyMember(tx, member)
  const named = await searchTexts(tx, detailsOfNobody, values, ahead.details)
  const details = await deletePersonalDetails(tx, id, named.ids)
  await audit(tx, ctx, {
    action: 'erase_member',
    target: { type: 'user', id },
    details: {
      documents: files.length,
      wallets,
      lines,
      notes,
      messages,
      kyc,
      approvals,
      bulkReasons,
      events,
      auditDetails: details,
    },
  })
  await reportErasures(tx, ctx, earlier + 1)
  const { membershipId } = member
  await enqueueEvent(tx, ctx, platformEvent('member.erased', { id, version, data: { memberId: id, membershipId } }))
  await announce(tx, 'users', 'analytics', 'kyc', 'orders', 'transactions', 'bank', 'messages', 'kycWebhooks')
  return { erasure: { outcome: 'erased', erasedAt } as Erasure, files }
}
