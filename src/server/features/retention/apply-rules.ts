import type { RetentionKind } from '#contract/retention.ts'
import { audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { deleteDuePictures, deleteFiles } from '#server/features/documents/service.ts'
import { deleteDueBodies, deleteDueMessages } from '#server/features/messages/service.ts'
import { deleteDueSecurityEvents } from '#server/features/security/service.ts'
import { forgetPictures } from '#server/features/users/service.ts'
import { readRules } from './rules.ts'

/** What one step deleted: how many rows, and whether there may be more. */
interface Step {
  rows: number
  isMore: boolean
}

/** Deletes some of what is due, in a transaction of its own. */
const steps: Record<RetentionKind, (ctx: Ctx, days: number) => Promise<Step>> = {
  approved_pictures: (ctx, days) => deletePictures(ctx, 'approved_pictures', days),
  rejected_pictures: (ctx, days) => deletePictures(ctx, 'rejected_pictures', days),
  message_bodies: (ctx, days) => deleteRows(ctx, 'message_bodies', days, deleteDueBodies),
  messages: (ctx, days) => deleteRows(ctx, 'messages', days, deleteDueMessages),
  security_events: (ctx, days) => deleteRows(ctx, 'security_events', days, deleteDueSecurityEvents),
}

const deleteRows = (
  ctx: Ctx,
  kind: RetentionKind,
  days: number,
  deleteSome: (tx: Tx, days: number) => Promise<number>,
): Promise<Step> =>
  inTransaction(ctx, async (tx) => {
    const rows = await deleteSome(tx, days)
    await recordStep(tx, ctx, kind, days, rows)
    return { rows, isMore: rows > 0 }
  })

async function deletePictures(ctx: Ctx, kind: 'approved_pictures' | 'rejected_pictures', days: number): Promise<Step> {
  const { files, members } = await inTransaction(ctx, async (tx) => {
    const due = await deleteDuePictures(tx, kind === 'approved_pictures' ? 'approved' : 'rejected', days)
    await forgetPictures(tx, due.members)
    await recordStep(tx, ctx, kind, days, due.files.length)
    return due
  })
  await deleteFiles(ctx, files)
  return { rows: files.length, isMore: members.length > 0 }
}

/** Counts alone: whose they were nobody needs to know any more. */
const recordStep = async (tx: Tx, ctx: Ctx, kind: RetentionKind, days: number, rows: number): Promise<void> => {
  if (rows > 0) await audit(tx, ctx, { action: 'apply_retention', details: { kind, days, rows } })
}

/** Deletes what the rules say is due, but nothing of members with a legal hold. */
export async function applyRules(ctx: Ctx, stop: AbortSignal): Promise<void> {
  for (const { kind, days } of await readRules(ctx)) {
    if (days === null) continue
    for (let isMore = true; isMore && !stop.aborted;) ({ isMore } = await steps[kind](ctx, days))
  }
}
