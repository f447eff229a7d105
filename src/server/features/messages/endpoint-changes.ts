import { randomBytes } from 'node:crypto'
import { and, count, eq, isNull, ne, sql } from 'drizzle-orm'
import { eventTypes, mostEndpoints } from '#contract/endpoints.ts'
import { RowId } from '#contract/schemas/common.ts'
import type { Endpoint, EndpointChange, EndpointWithSecret, NewEndpoint } from '#contract/schemas/endpoints.ts'
import { announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { requireOpenUrl } from '#server/core/require-open-url.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Tx } from '#server/db/client.ts'
import { platformEndpoints, settingsEndpoint } from '#server/db/tables/platform-events.ts'
import { AppError, conflict, notFound, requireVersion } from '#server/lib/errors.ts'
import { type EndpointRow, readHost, readEndpoint } from './endpoints.ts'
import { platformEvents } from './platform-events.ts'
import { closeMessages } from './queue.ts'

/** An endpoint, locked until the transaction ends. Throws not_found, and stale when `ifMatch` is not its version. */
export async function lockEndpoint(
  tx: Tx,
  id: string,
  { ifMatch, isDeleted = false }: { ifMatch?: number | undefined; isDeleted?: boolean } = {},
): Promise<EndpointRow> {
  if (!RowId.safeParse(id).success) throw notFound('Endpoint')
  const [endpoint] = await tx
    .select()
    .from(platformEndpoints)
    .where(and(eq(platformEndpoints.id, id), isNull(platformEndpoints.deletedAt)))
    // Who writes an event for it waits for its deletion, and for nothing else.
    .for(isDeleted ? 'update' : 'no key update')
  if (!endpoint) throw notFound('Endpoint')
  const { version } = endpoint
  const message = 'This endpoint was changed meanwhile. Look again and decide.'
  requireVersion(ifMatch, version, () => new AppError('stale', message, { details: { version } }))
  return endpoint
}

function requireOwnEndpoint({ id }: EndpointRow, what: string) {
  if (id === settingsEndpoint)
    throw conflict('endpoint_fixed', `${what} of this endpoint is a setting of the console and is changed there`)
}

const generateSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** In one order, each once. */
const normaliseTypes = (types: readonly string[] | null) => types && eventTypes.filter((type) => types.includes(type))

const nameTakenError = (name: string) =>
  new AppError('endpoint_taken', `name: another endpoint is named ${name}`, {
    details: [{ field: 'name', message: `another endpoint is named ${name}` }],
  })

/** What is said of an endpoint in audit rows: no secrets, and of the address the host alone. */
const describeForAudit = ({ name, url, types, isOn }: Pick<EndpointRow, 'name' | 'url' | 'types' | 'isOn'>) => ({
  name,
  ...(url !== null && { host: readHost(url) }),
  types,
  isOn,
})

async function recordChange(
  tx: Tx,
  ctx: Ctx,
  action:
    | `${'create' | 'update' | 'delete' | 'test'}_endpoint`
    | `${'rotate' | 'end'}_endpoint_secret`
    | 'resume_events',
  id: string,
  details: Record<string, unknown>,
) {
  await audit(tx, ctx, { action, target: { type: 'endpoint', id }, details })
  await announce(tx, 'messages')
}

/** Adds an endpoint. Throws invalid, endpoint_taken for a name in use, endpoint_limit. */
export async function createEndpoint(ctx: Ctx, { name, url, types }: NewEndpoint): Promise<EndpointWithSecret> {
  await requireOpenUrl(ctx, url, 'events')
  const secret = generateSecret()
  const endpoint = await inTransaction(ctx, async (tx) => {
    await lockInTransaction(tx, 'endpoints')
    const isOwn = and(isNull(platformEndpoints.deletedAt), ne(platformEndpoints.id, settingsEndpoint))
    const [present] = await tx.select({ own: count() }).from(platformEndpoints).where(isOwn)
    if (present!.own >= mostEndpoints)
      throw conflict('endpoint_limit', `There are ${mostEndpoints} endpoints already; delete one first`)
    const [row] = await tx
      .insert(platformEndpoints)
      .values({ name, url, types: normaliseTypes(types), secret, secretSetAt: sql`now()`, createdBy: ctx.actor.name })
      .onConflictDoNothing()
      .returning()
    if (!row) throw nameTakenError(name)
    await recordChange(tx, ctx, 'create_endpoint', row.id, { after: describeForAudit(row) })
    return readEndpoint(ctx, row.id, tx)
  })
  return { endpoint, secret }
}

/**
 * Changes what is given. What is off gets nothing that is written meanwhile; what waits goes on when it is on again.
 * Throws not_found, stale, invalid, endpoint_taken, endpoint_fixed for the address of the settings.
 */
export async function updateEndpoint(
  ctx: Ctx,
  id: string,
  { name, url, types, isOn }: EndpointChange,
  ifMatch: number | undefined,
): Promise<Endpoint> {
  if (url !== undefined) await requireOpenUrl(ctx, url, 'events')
  return inTransaction(ctx, async (tx) => {
    const before = await lockEndpoint(tx, id, { ifMatch })
    if (url !== undefined) requireOwnEndpoint(before, 'The address')
    const change = {
      name: name ?? before.name,
      url: url ?? before.url,
      types: types === undefined ? before.types : normaliseTypes(types),
      isOn: isOn ?? before.isOn,
    }
    if (JSON.stringify({ ...before, ...change }) === JSON.stringify(before)) return readEndpoint(ctx, id, tx)
    const [other] = await tx
      .select({ id: platformEndpoints.id })
      .from(platformEndpoints)
      .where(
        and(
          isNull(platformEndpoints.deletedAt),
          ne(platformEndpoints.id, id),
          eq(sql`lower(${platformEndpoints.name})`, change.name.toLowerCase()),
        ),
      )
    if (other) throw nameTakenError(change.name)
    await tx
      .update(platformEndpoints)
      .set({ ...change, version: before.version + 1 })
      .where(eq(platformEndpoints.id, id))
    await recordChange(tx, ctx, 'update_endpoint', id, {
      before: describeForAudit(before),
      after: describeForAudit(change),
    })
    return readEndpoint(ctx, id, tx)
  })
}

/** Gives a new secret beside the old one. Throws not_found, stale, endpoint_fixed, endpoint_state while two sign. */
export async function rotateSecret(ctx: Ctx, id: string, ifMatch: number | undefined): Promise<EndpointWithSecret> {
  const secret = generateSecret()
  const endpoint = await inTransaction(ctx, async (tx) => {
    const before = await lockEndpoint(tx, id, { ifMatch })
    requireOwnEndpoint(before, 'The secret')
    if (before.previousSecret !== null)
      throw conflict('endpoint_state', 'Two secrets sign already; end the old one before giving another')
    await tx
      .update(platformEndpoints)
      .set({ secret, previousSecret: before.secret, secretSetAt: sql`now()`, version: before.version + 1 })
      .where(eq(platformEndpoints.id, id))
    await recordChange(tx, ctx, 'rotate_endpoint_secret', id, { name: before.name })
    return readEndpoint(ctx, id, tx)
  })
  return { endpoint, secret }
}

/** Lets the new secret sign alone. Throws not_found, stale, endpoint_fixed, endpoint_state where there is no old one. */
export const endOldSecret = (ctx: Ctx, id: string, ifMatch: number | undefined): Promise<Endpoint> =>
  inTransaction(ctx, async (tx) => {
    const before = await lockEndpoint(tx, id, { ifMatch })
    requireOwnEndpoint(before, 'The secret')
    if (before.previousSecret === null) throw conflict('endpoint_state', 'One secret alone signs; there is no old one')
    await tx
      .update(platformEndpoints)
      .set({ previousSecret: null, version: before.version + 1 })
      .where(eq(platformEndpoints.id, id))
    await recordChange(tx, ctx, 'end_endpoint_secret', id, { name: before.name })
    return readEndpoint(ctx, id, tx)
  })

/** Lets events go out again to an endpoint that was paused, and answers since when. Throws not_found, endpoint_state. */
export const resumeEndpoint = (ctx: Ctx, id: string): Promise<{ endpoint: Endpoint; pausedAt: string }> =>
  inTransaction(ctx, async (tx) => {
    const { pausedAt } = await lockEndpoint(tx, id)
    if (pausedAt === null) throw conflict('endpoint_state', 'Events are not paused, so there is nothing to resume')
    await tx.update(platformEndpoints).set({ pausedAt: null }).where(eq(platformEndpoints.id, id))
    await recordChange(tx, ctx, 'resume_events', id, { pausedAt })
    return { endpoint: await readEndpoint(ctx, id, tx), pausedAt }
  })

/**
 * Deletes an endpoint; the log still names it. Answers how many messages were dropped: all that waited or were given up.
 * Throws not_found, stale, endpoint_fixed, and endpoint_waiting where there are any and `dropsOpen` is not set.
 */
export const deleteEndpoint = (
  ctx: Ctx,
  id: string,
  { dropsOpen, ifMatch }: { dropsOpen: boolean; ifMatch: number | undefined },
): Promise<{ name: string; dropped: number }> =>
  inTransaction(ctx, async (tx) => {
    const before = await lockEndpoint(tx, id, { ifMatch, isDeleted: true })
    requireOwnEndpoint(before, 'The address')
    await tx
      .update(platformEndpoints)
      .set({ deletedAt: sql`now()`, url: null, secret: null, previousSecret: null, version: before.version + 1 })
      .where(eq(platformEndpoints.id, id))
    const dropped = await closeMessages(tx, platformEvents, sql`m.endpoint_id = ${id}`, { isCut: true })
    if (dropped > 0 && !dropsOpen)
      throw conflict(
        'endpoint_waiting',
        `${dropped === 1 ? '1 event waits or was' : `${dropped} events wait or were`} given up here; say that ${dropped === 1 ? 'it is' : 'they are'} to be dropped`,
      )
    await recordChange(tx, ctx, 'delete_endpoint', id, { before: describeForAudit(before), dropped })
    // The notice of its failed events disappears too.
    if (dropped > 0) await announce(tx, 'security')
    return { name: before.name, dropped }
  })
