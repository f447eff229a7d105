import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { tryAdvisoryLock } from '#server/db/advisory-lock.ts'
import { type Database, type Db, readConnectionOptions } from '#server/db/client.ts'
import { connectOnce } from '#server/db/own-server.ts'

/** What stores proposals. */
export type ProposalWriter = Pick<Db, 'execute' | 'transaction' | 'update'>

/** Makes this server the one that proposes. */
export interface ProposerLock {
  client: pg.Client
  /**
   * Writes over the connection that holds the lock. Where that breaks, another server may have proposed since, and what this one
   * still wants to store is not stored.
   */
  writer: ProposalWriter
}

/** Takes the lock on a connection of its own, with which it ends. Null while another server has it. */
export async function takeProposerLock({ pool }: Database): Promise<ProposerLock | null> {
  const client = await connectOnce({
    ...readConnectionOptions(pool),
    keepAlive: true,
    application_name: 'back-office proposals',
  })
  if (await tryAdvisoryLock(client, 'propose matches')) return { client, writer: drizzle({ client }) }
  await client.end()
  return null
}

export async function releaseProposerLock({ client }: ProposerLock): Promise<void> {
  await client.end().catch(() => {})
}
