import type pg from 'pg'
import { withSessionSettings } from '#server/db/connection.ts'
import type { ListCall } from './list-calls.ts'
import type { LatencySamples } from './load.ts'
import { measure, type Server, serve } from './measuring.ts'

interface CompareOptions {
  /** SQL that the bare handler runs in place of the call's own. */
  floors?: Record<string, { query: pg.QueryConfig }>
  /** So long each server is asked in a round. */
  seconds: number
  /** Console and bare handler take turns. */
  rounds: number
}

/** The rounds of one call. */
export interface Compared {
  call: ListCall
  console: LatencySamples[]
  bare: LatencySamples[]
}

/** The statements of one call of the console, without those of its session. */
async function recorded(console_: Server, path: string): Promise<pg.QueryConfig[]> {
  const reply = await fetch(`http://127.0.0.1:${console_.port}${path}`, { headers: { cookie: console_.cookie } })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  await reply.arrayBuffer()
  const statements = (await (await fetch(`http://127.0.0.1:${console_.port}/recorded`)).json()) as pg.QueryConfig[]
  if (statements.length === 0) throw new Error(`${path}: no statement was recorded`)
  return statements
}

/** Throws where the bare handler fails or finds nothing: then there is nothing to compare with. */
async function checkBare(bare: Server, path: string) {
  const reply = await fetch(`http://127.0.0.1:${bare.port}${path}`)
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path}: the bare handler answers ${reply.status} ${text}`)
  const { rows, more } = JSON.parse(text) as { rows: unknown[]; more: unknown[][] }
  if ([rows, ...more].every((each) => each.length === 0)) throw new Error(`${path}: the bare handler finds nothing`)
}

/** Measures calls one after the other, each beside its own SQL in a minimal handler (bare.ts). */
export async function* compareLists(
  connection: pg.PoolConfig,
  calls: readonly ListCall[],
  { floors = {}, seconds, rounds }: CompareOptions,
): AsyncGenerator<Compared> {
  const recording = await serve('console.ts', { connection, isRecording: true })
  const queries: Record<string, pg.QueryConfig[]> = {}
  for (const [index, [name, path]] of calls.entries()) {
    const floor = floors[name]?.query
    queries[index] = floor ? [floor] : await recorded(recording, path)
  }
  recording.stop()
  const console_ = await serve('console.ts', { connection })
  const bare = await serve('bare.ts', { connection: withSessionSettings(connection), queries })
  try {
    for (const [index, call] of calls.entries()) {
      await checkBare(bare, `/${index}`)
      const compared: Compared = { call, console: [], bare: [] }
      for (let round = 0; round < rounds; round++) {
        compared.console.push(await measure(console_, call[1], seconds))
        compared.bare.push(await measure(bare, `/${index}`, seconds))
      }
      yield compared
    }
  } finally {
    console_.stop()
    bare.stop()
  }
}
