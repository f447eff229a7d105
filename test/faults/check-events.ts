import type pg from 'pg'
import * as z from 'zod'

/** An event as the platform's endpoint got it. */
export interface ReceivedEvent {
  id: string
  body: string
  isSigned: boolean
}
/** An event as the database holds it. */
export interface StoredEvent {
  id: string
  type: string
  entity: string
  sequence: number
}

const Body = z.object({
  type: z.string(),
  entity: z.object({ type: z.string(), id: z.string() }),
  sequence: z.number(),
})

/**
 * Events come at least once, those of an entity in their order, and none comes of a change that was not made. Returns what is
 * otherwise.
 */
export function checkEvents(stored: readonly StoredEvent[], received: readonly ReceivedEvent[]): string[] {
  const known = new Map(stored.map((event) => [event.id, event]))
  const bodies = new Map<string, string>()
  const latest = new Map<string, number>()
  const faults: string[] = []
  for (const { id, body, isSigned } of received) {
    const event = known.get(id)
    const { type, entity, sequence } = Body.parse(JSON.parse(body))
    const name = `${type} of ${entity.type} ${entity.id}`
    if (!isSigned) faults.push(`${name} came without a right signature`)
    if (!event) {
      faults.push(`${name} came, of which there is no change`)
      continue
    }
    const said = `${type} ${entity.type}/${entity.id} ${sequence}`
    if (said !== `${event.type} ${event.entity} ${event.sequence}`)
      faults.push(`${name} came as another event than it is`)
    if ((bodies.get(id) ?? body) !== body) faults.push(`${name} came with two bodies`)
    if (sequence < (latest.get(event.entity) ?? 0)) faults.push(`${name} came after a later one of the same entity`)
    bodies.set(id, body)
    latest.set(event.entity, Math.max(sequence, latest.get(event.entity) ?? 0))
  }
  const missing = stored.filter(({ id }) => !bodies.has(id))
  return [...faults, ...missing.map(({ type, entity }) => `${type} of ${entity} never came`)]
}

export async function readStoredEvents(client: pg.Client): Promise<StoredEvent[]> {
  const { rows } = await client.query<StoredEvent>(
    `SELECT event_id AS id, type, entity_type || '/' || entity_id AS entity, sequence FROM platform_events ORDER BY id`,
  )
  return rows
}
