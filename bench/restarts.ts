/**
 * Whether restarts break requests: consoles replace each other on one database, and each is stopped by SIGTERM under the load
 * of many clients with kept-alive connections.
 *
 *   node bench/restarts.ts [--restarts 10] [--clients 16]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { waitForAddress, buildDatabaseUrl } from '#test/support/console-process.ts'
import { loadUntilRefused } from '#test/support/keep-alive-load.ts'

const { values: options } = parseArgs({
  options: { restarts: { type: 'string', default: '10' }, clients: { type: 'string', default: '16' } },
})
const restarts = Number(options.restarts)
const clients = Number(options.clients)
const [username, password] = ['bench', 'a password for measuring only']
const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
const url = buildDatabaseUrl(postgres.connection, postgres.connection.database)

async function startConsole() {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/server/main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATA_DIR: folder,
      PORT: '0',
      ADMIN_USERNAME: username,
      ADMIN_PASSWORD: password,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  return { address: await waitForAddress(child), stop: () => child.kill('SIGTERM') && ended }
}

/** Signs in with the first password, and replaces it. Returns the cookies. */
async function signIn(address: string): Promise<string> {
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${address}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const readCookies = (reply: Response) => reply.headers.getSetCookie().map((each) => each.split(';')[0]!)
  const given = readCookies(await post('auth/login', { username, password })).join('; ')
  const newPassword = 'a walk along the river at dusk'
  return readCookies(await post('account/password', { currentPassword: password, newPassword }, given)).join('; ')
}

let current = await startConsole()
try {
  const cookie = await signIn(current.address)
  const broken: string[] = []
  let answered = 0
  let longest = 0
  for (let round = 0; round < restarts; round++) {
    const next = await startConsole()
    const { outcomes, ended } = loadUntilRefused(`${current.address}/api/users`, cookie, clients)
    await pause(2000)
    const begun = performance.now()
    await Promise.all([current.stop(), ended])
    longest = Math.max(longest, performance.now() - begun)
    answered += outcomes.answered
    broken.push(...outcomes.broken)
    current = next
  }
  console.log(
    `${restarts} restarts under ${clients} clients: ${answered.toLocaleString('en')} requests answered, ` +
      `${broken.length} broken off; the longest stop took ${(longest / 1000).toFixed(1)} s`,
  )
  for (const problem of new Set(broken)) console.log(`  ${problem}`)
} finally {
  await current.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
