import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LiveList } from '#contract/live.ts'
import type { PlatformOrder, PutReply } from '#contract/schemas/platform-api.ts'
import type { ImportLineType } from '#contract/schemas/platform.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError, notFound, sqlState } from '#server/lib/errors.ts'
import { type KycItem, saveKycAttempts } from '#server/features/kyc/service.ts'
import { queueCase, testEndpoints } from '#server/features/messages/service.ts'
import { completeOrder, readPlatformOrder } from '#server/features/orders/service.ts'
import type { Outcome } from '#server/core/upsert.ts'
import { KeyTakenError } from '#server/db/write.ts'
import { announceSoon } from './announce-soon.ts'
import { markRepeated, runOnce } from './idempotency.ts'
import { describeCall, recordCall } from './record-calls.ts'
import { listsOf } from './write-lines.ts'

interface SentTests {
  events: { id: string; endpoint: string }[]
}

/** A call and its answer as HTTP has them. */
interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

/** A batch service applied to one item. */
type SaveItems = (tx: Tx) => Promise<Outcome[]>

/**
 * Serves a PUT with the service of the import, for one item, in one transaction with its audit row. Throws the refusal
 * and stores nothing.
 */
export async function saveOne(
  ctx: Ctx,
  request: FastifyRequest,
  type: ImportLineType,
  work: SaveItems,
  alsoChanged: readonly LiveList[] = [],
): Promise<PutReply> {
  const { outcome, version } = await inTransaction(ctx, async (tx) => {
    const [outcome] = await work(tx).catch((error: unknown) => translateFault(ctx, error))
    if (outcome === undefined || outcome instanceof AppError) throw outcome ?? new Error('a service answered nothing')
    return { outcome, version: await recordCall(tx, ctx, describeCall(request), { outcome }) }
  })
  announceSoon(ctx, outcome === 'unchanged' ? ['logs'] : ['logs', ...listsOf[type], ...alsoChanged])
  return { outcome, ...(hasVersion.has(type) && version !== null && { version }) }
}

/** The types whose version `If-Match` compares. */
const hasVersion = new Set<ImportLineType>(['member', 'order', 'token'])

/** Sends the version of the reply as its `ETag` too. */
export function setETag<Reply extends { version?: number | undefined }>(reply: FastifyReply, answer: Reply): Reply {
  if (answer.version !== undefined) reply.header('etag', `"${answer.version}"`)
  return answer
}

/** A unique key that another call has just taken starts the transaction again, which then refuses it properly. */
function translateFault(ctx: Ctx, error: unknown): never {
  const state = sqlState(error)
  if (state === '23505') throw new KeyTakenError('another call was first with one of these keys')
  if (!state?.startsWith('23')) throw error
  ctx.log.warn({ err: error }, 'what a call of the platform says could not be stored')
  throw new AppError('invalid', 'The database refuses a value of this call', { cause: error })
}

/** Saves the steps of an attempt. The queue sends a submitted attempt to the provider, if there is one. */
export async function saveKyc(ctx: Ctx, request: FastifyRequest, item: KycItem): Promise<PutReply> {
  const isSent = item.submit === true && (ctx.config.kycWebhookUrl !== undefined || ctx.kycProvider.hasSandbox)
  const work: SaveItems = async (tx) => {
    const [outcome] = await saveKycAttempts(tx, ctx, [item], false)
    if (isSent && (outcome === 'created' || outcome === 'updated'))
      await queueCase(tx, ctx, item.memberId, item.attempt)
    return [outcome!]
  }
  return saveOne(ctx, request, 'kyc', work, isSent ? ['kycWebhooks', 'messages'] : [])
}

/** Reads an order with its state. Throws not_found. */
export async function readOrder({ database: { db } }: Ctx, orderNumber: string): Promise<PlatformOrder> {
  const order = await readPlatformOrder(db, orderNumber)
  if (!order) throw notFound(`Order ${orderNumber}`)
  return order
}

/** Sends tests to the platform's endpoints; with an `Idempotency-Key` the same call again sends none. */
export async function sendTests(ctx: Ctx, { request, reply }: Exchange, name: string | undefined): Promise<SentTests> {
  const { reply: answer, isRepeated } = await inTransaction(ctx, async (tx) => {
    const done = await runOnce(tx, ctx, request, async () => ({ events: await testEndpoints(tx, ctx, name) }))
    await recordCall(tx, ctx, describeCall(request), { outcome: done.isRepeated ? 'repeated' : 'created' })
    return done
  })
  announceSoon(ctx, isRepeated ? ['logs'] : ['logs', 'messages'])
  markRepeated(reply, isRepeated)
  return answer
}

/** paid → completed. A repeated call with the same `Idempotency-Key` gets the first answer. */
export async function completePlatformOrder(
  ctx: Ctx,
  { request, reply }: Exchange,
  orderNumber: string,
): Promise<PlatformOrder> {
  const { reply: answer, isRepeated } = await inTransaction(ctx, async (tx) => {
    const done = await runOnce(tx, ctx, request, () => completeOrder(tx, ctx, orderNumber))
    await recordCall(tx, ctx, describeCall(request), { outcome: done.isRepeated ? 'repeated' : 'completed' })
    return done
  })
  announceSoon(ctx, isRepeated ? ['logs'] : ['logs', 'orders'])
  markRepeated(reply, isRepeated)
  // The first answer may be of an earlier version of the console, and lack fields.
  return isRepeated ? { ...(await readOrder(ctx, orderNumber)), ...answer } : answer
}
