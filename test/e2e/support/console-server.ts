import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { scopes } from '#contract/scopes.ts'
import {
  auditKey,
  documentsKey,
  endProcess,
  hasEnded,
  newDatabaseName,
  waitForAddress,
  buildDatabaseUrl,
  type PostgresAddress,
} from '#test/support/console-process.ts'

export const admin = { username: 'ada', password: 'seven grey herons at noon' }
export const platformKey = 'platform-key-of-the-tests-0123456789'
/** The key of a platform that moves in, whose lines may say what was decided elsewhere. */
const historyKey = 'history-key-of-the-tests-0123456789'

export interface ConsoleServer {
  url: string
  /** The address of its database, for the commands beside it. */
  databaseUrl: string
  /** What it has printed at its start. */
  said: () => string
  /** Runs SQL on this console's database. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** Imports lines as a platform does that moves in. Throws when one is refused. */
  importLines(...lines: Record<string, unknown>[]): Promise<void>
  /** Throws if its process has ended, and says how. */
  requireRunning: () => void
  stop: () => Promise<void>
}

/** For fixtures that start consoles: a limit against hanging only, apart from that of the test. */
export const startLimit = { timeout: 300_000 }

/** Starts the real server as a process of its own, on its own clone of a template database; `given` adds to its settings. */
export async function startConsole(
  template: 'template_demo' | 'template_empty',
  given: Record<string, string> = {},
): Promise<ConsoleServer> {
  const connection = JSON.parse(process.env.E2E_POSTGRES ?? '{}') as PostgresAddress
  const database = newDatabaseName(template)
  const maintenance = new pg.Client(connection)
  await maintenance.connect()
  // It goes with the whole PostgreSQL at the end of the run.
  await maintenance.query(`CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY FILE_COPY`)
  await maintenance.end()
  const pool = new pg.Pool({ ...connection, database, max: 2 })
  pool.on('error', () => {})

  const url = buildDatabaseUrl(connection, database)
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../src/server/main.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: url,
      DATA_DIR: process.env.E2E_DATA_DIR,
      AUDIT_KEY: auditKey,
      DOCUMENTS_KEY: documentsKey,
      PORT: '0',
      ADMIN_USERNAME: admin.username,
      ADMIN_PASSWORD: admin.password,
      PLATFORM_API_KEY: platformKey,
      // Tests put sessions into the database that no browser has opened.
      SESSION_NETWORK: 'off',
      ...given,
    },
    // The channel ends it together with the worker that started it, however that ends.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const stop = async () => {
    await endProcess(child)
    await pool.end()
  }
  let said = ''
  child.stdout!.on('data', (text: Buffer) => (said += text.toString()))
  let address: string
  try {
    address = await waitForAddress(child)
    // Tests sign in with the password of the settings and go on.
    if (given['ADMIN_PASSWORD'] !== '') await pool.query('UPDATE admins SET must_change_password = false')
    await pool.query(
      `INSERT INTO platform_keys (name, key_hash, hint, calls_per_second, scopes, created_by, expires_at)
       VALUES ('move-in', $1, '', 10000, $2, 'tests', now() + interval '1 day')`,
      [createHash('sha256').update(historyKey).digest(), scopes],
    )
  } catch (error) {
    await stop()
    throw error
  }

  return {
    url: address,
    databaseUrl: url,
    said: () => said,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    async importLines(...lines) {
      const reply = await fetch(`${address}/api/platform/v1/import`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson', authorization: `Bearer ${historyKey}` },
        body: lines.map((line) => JSON.stringify(line)).join('\n'),
      })
      const result = (await reply.json()) as { refused: number }
      if (!reply.ok || result.refused > 0) throw new Error(JSON.stringify(result))
    },
    requireRunning() {
      if (hasEnded(child))
        throw new Error(`the console ended during a test, with ${child.signalCode ?? child.exitCode}`)
    },
    stop,
  }
}
