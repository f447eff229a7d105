import { sql } from 'drizzle-orm'
import type { Delivery, EventEndpoint, Resend, Resent } from '#contract/deliveries.ts'
import { announce, audit } from '#server/audit.ts'
import { type Ctx, inTransaction } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { conflict } from '#server/errors.ts'
import { eventEndpoint, resendEvents } from '#server/features/events/service.ts'
import { resendCases } from '#server/features/webhooks/service.ts'
import { sourceOf } from './detail.ts'
import { askDeliveries } from './list.ts'

/** The rows of the three tables that are meant, by their own ids. */
interface Meant {
  event: string[]
  case: string[]
  /** Came in, or is none. */
  other: number
}

/**
 * Sends messages again, the chosen ones or all that a filter shows, in one transaction: what a queue does with them is its
 * own. What came in, what is under way and cases that were decided are skipped. Throws conflict where nothing is left.
 */
export async function resendDeliveries(ctx: Ctx, asked: Resend): Promise<Resent> {
  const endpoint = await eventEndpoint(ctx)
  return inTransaction(ctx, async (tx) => {
    const meant = 'ids' in asked ? chosen(asked.ids) : await matching(tx, asked.filter)
    const events = await inParts(meant.event, (ids) => resendEvents(tx, ids))
    const cases = await inParts(meant.case, (ids) => resendCases(tx, ids))
    const queued = events + cases
    const skipped = meant.event.length + meant.case.length + meant.other - queued
    if (queued === 0) throw conflict(whyNone(meant))
    await audit(tx, ctx, {
      action: 'resend_deliveries',
      ...('ids' in asked && (await theOnly(tx, meant))),
      details: {
        ...('ids' in asked ? { chosen: asked.ids.length } : { filter: asked.filter }),
        events,
        cases,
        skipped,
      },
    })
    await announce(tx, 'deliveries', 'kycWebhooks')
    return {
      queued,
      skipped,
      message: [inWords(queued, skipped), events > 0 && whatHolds(endpoint)].filter(Boolean).join(' '),
    }
  })
}

/** Messages of one statement: their locks and counts take some seconds for a hundred thousand. */
const atOnce = 10_000

/** The sum of what `work` answers for each part. */
async function inParts(ids: readonly string[], work: (part: readonly string[]) => Promise<number>): Promise<number> {
  let done = 0
  for (let from = 0; from < ids.length; from += atOnce) done += await work(ids.slice(from, from + atOnce))
  return done
}

function chosen(ids: readonly string[]): Meant {
  const sources = [...new Set(ids)].map(sourceOf)
  const of = (kind: Delivery['kind']) => sources.flatMap((source) => (source?.kind === kind ? [source.id] : []))
  const [event, sent] = [of('event'), of('case')]
  return { event, case: sent, other: sources.length - event.length - sent.length }
}

/** On what, where one message alone was chosen (PRODUCT 3.20). */
async function theOnly(tx: Tx, { event, case: cases, other }: Meant) {
  const [id, ...others] = [...event, ...cases]
  if (id === undefined || others.length + other > 0) return {}
  const { rows } = await tx.execute<{ type: string; id: string }>(sql`
    SELECT CASE entity_type WHEN 'member' THEN 'user' ELSE entity_type END AS type, entity_id AS id FROM deliveries
    WHERE kind = ${event.length === 1 ? 'event' : 'case'} AND source_id = ${id}`)
  return rows[0] ? { target: rows[0] } : {}
}

async function matching(tx: Tx, filter: Parameters<typeof askDeliveries>[0]): Promise<Meant> {
  const { list, filters, typed } = askDeliveries(filter)
  const text = typed?.trim()
  // The list's own condition, whose only parameter is the typed text.
  const [head, ...rest] = (text ? list.matches! : 'true').split('$1').map((part) => sql.raw(part))
  const typedMatches = rest.reduce((before, part) => sql`${before}${text}${part}`, sql`${head}`)
  const conditions = [sql`(${typedMatches})`, ...filters.map(({ rows }) => sql.raw(`(${rows})`))]
  const { rows } = await tx.execute<{ kind: Delivery['kind']; ids: string[] }>(sql`
    SELECT t.kind, array_agg(t.source_id::text ORDER BY t.source_id) AS ids FROM deliveries t
    WHERE ${sql.join(conditions, sql` AND `)} GROUP BY t.kind`)
  const of = (kind: Delivery['kind']) => rows.find((row) => row.kind === kind)?.ids ?? []
  return { event: of('event'), case: of('case'), other: of('result').length }
}

function whyNone({ event, case: cases, other }: Meant): string {
  if (event.length + cases.length === 0)
    return other === 0 ? 'No message matches any more' : 'These messages came in; only what went out can be sent again'
  if (cases.length === 0) return 'Nothing to send again: these messages are being sent now'
  return 'Nothing to send again: a message is being sent now, or its case has been decided'
}

function inWords(queued: number, skipped: number): string {
  const sent = queued === 1 ? '1 message goes out again.' : `${queued.toLocaleString('en')} messages go out again.`
  return skipped === 0 ? sent : `${sent} ${skipped.toLocaleString('en')} skipped: came in, under way, or decided.`
}

function whatHolds({ host, pausedAt }: EventEndpoint): string | null {
  if (host === null) return 'Events wait until PLATFORM_WEBHOOK_URL is set.'
  return pausedAt && 'Events wait until the endpoint is resumed.'
}
