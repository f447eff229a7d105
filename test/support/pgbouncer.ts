import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { pickAccount, spawnIdentity } from '#server/db/embedded/account.ts'
import { freePort } from '#test/support/free-port.ts'
import type { PostgresAddress } from './console-process.ts'

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(existsSync)

interface PgBouncerOptions {
  /** A database that is there to ask whether it has started. */
  database: string
  mode?: 'transaction' | 'session'
  /** Settings of clients that it takes without having them. */
  ignores?: string
}

const namesEveryDatabase = ({ host, port, user, password }: PostgresAddress) =>
  `* = host=${host} port=${port} user=${user} password='${password.replaceAll("'", "''")}'`

/** Starts PgBouncer before every database of a PostgreSQL, on loopback. All connections become those of one account. Throws where it is not installed. */
export async function startPgBouncer(
  account: PostgresAddress,
  { database, mode = 'transaction', ignores = '' }: PgBouncerOptions,
): Promise<{ host: string; port: number; close: () => Promise<void> }> {
  if (!program) throw new Error('PgBouncer is not installed, which these tests are about: apt-get install pgbouncer')
  const folder = await mkdtemp(join(tmpdir(), 'back-office-pgbouncer-'))
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const settings = [
    '[databases]',
    namesEveryDatabase(account),
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `ignore_startup_parameters = ${ignores}`,
    'default_pool_size = 20',
    'max_client_conn = 500',
  ]
  await writeFile(file, `${settings.join('\n')}\n`)
  await chmod(folder, 0o755)
  // It refuses to run as root, as PostgreSQL does.
  const identity = spawnIdentity(process.getuid?.() === 0 ? pickAccount() : null)
  const child = spawn(program, ['--quiet', file], { cwd: folder, stdio: 'ignore', ...identity })
  const ended = once(child, 'exit')
  await waitForAnswer(child, { ...account, host: '127.0.0.1', port, database })
  return {
    host: '127.0.0.1',
    port,
    async close() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function waitForAnswer(child: ChildProcess, connection: pg.ClientConfig): Promise<void> {
  for (const end = performance.now() + 10_000; ; await pause(20)) {
    const client = new pg.Client(connection)
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (child.exitCode !== null || performance.now() > end) throw error
    }
  }
}
