import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { pickAccount } from './account.ts'
import { StartError } from './errors.ts'
import { isAlive, isServing, listServers } from './processes.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts'

const isRoot = process.getuid?.() === 0
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

describe('in this process', () => {
  test('a first start makes a durable database with the role and the database "app"', async () => {
    const database = await start(temporaryFolder())
    const [row] = await query(
      database,
      `SELECT current_user AS role, current_database() AS name, lower('ÖMER') AS lower, current_setting('fsync') AS fsync,
        current_setting('synchronous_commit') AS commit, current_setting('data_checksums') AS checksums`,
    )
    expect(row).toEqual({ role: 'app', name: 'app', lower: 'ömer', fsync: 'on', commit: 'on', checksums: 'on' })
    expect(database.adopted).toBe(false)
  })

  test('only the owner reads the password and enters the database', async () => {
    const dataDir = temporaryFolder()
    await start(dataDir)
    const rights = (name: string) => statSync(join(dataDir, 'postgres', name)).mode & 0o777
    expect([rights('password'), rights('data'), rights('run')]).toEqual([0o600, 0o700, 0o700])
  })

  test('a database server that dies is started again under the same address', async () => {
    const dataDir = temporaryFolder()
    const lines: string[] = []
    const database = await start(dataDir, (line) => lines.push(line))
    const [killed, address] = [database.pid, { ...database.connection }]
    let exits = 0
    database.onExit(() => exits++)
    process.kill(killed, 'SIGKILL')
    await until('the database runs again', () => lines.includes('The database runs again'))
    expect(database.pid).not.toBe(killed)
    expect(exits).toBe(1)
    expect(database.connection).toEqual(address)
    expect(await query(database, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('variables of libpq in the shell reach no connection to it', async () => {
    const shell = {
      PGSSLMODE: 'verify-full',
      PGSSLNEGOTIATION: 'direct',
      PGOPTIONS: '-c role=nobody',
      PGREPLICATION: 'true',
    }
    for (const [name, value] of Object.entries({ ...shell, PGHOST: '192.0.2.1', PGSSLROOTCERT: '/nowhere' }))
      vi.stubEnv(name, value)
    cleanups.push(() => vi.unstubAllEnvs())
    const database = await start(temporaryFolder())
    expect(await query(database, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test("a stale pid file does not hinder the start, even with a stranger's pid", async () => {
    const dataDir = temporaryFolder()
    const first = await start(dataDir)
    const pidFile = join(dataDir, 'postgres/data/postmaster.pid')
    const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n')
    const { uid, gid } = statSync(pidFile)
    await first.stop()
    const sameUser = isRoot ? { uid, gid } : {}
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...sameUser })
    cleanups.push(() => stranger.kill('SIGKILL'))
    writeFileSync(pidFile, [stranger.pid, ...rest].join('\n'))
    const second = await start(dataDir)
    expect(second.adopted).toBe(false)
    expect(await query(second, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(isAlive(stranger.pid ?? 0)).toBe(true)
  })

  test('a folder too deep for a unix socket is served on a local port', async () => {
    const database = await start(join(temporaryFolder(), 'deep'.repeat(25)))
    expect(database.connection.host).toBe('127.0.0.1')
    expect(await query(database, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('a file in the place of the folder is named, with what to do', async () => {
    const file = join(temporaryFolder(), 'data')
    writeFileSync(file, '')
    const attempt = startEmbeddedPostgres({ dataDir: file, say: () => {} })
    await expect(attempt).rejects.toThrow(StartError)
    await expect(attempt).rejects.toThrow(`Cannot use ${file}: there is a file of that name; set DATA_DIR to a folder.`)
  })

  test.skipIf(isRoot)('a folder that may not be written is named, with what to do', async () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o500)
    cleanups.push(() => chmodSync(folder, 0o700))
    const attempt = startEmbeddedPostgres({ dataDir: join(folder, 'data'), say: () => {} })
    await expect(attempt).rejects.toThrow(`Cannot use ${join(folder, 'data')}: this account may not write there`)
  })

  test.runIf(isRoot)('under a closed folder, root keeps the database in the state folder and says so', async () => {
    const parent = temporaryFolder()
    chmodSync(parent, 0o700)
    const dataDir = join(parent, 'data')
    const state = join('/var/lib/back-office', createHash('sha256').update(dataDir).digest('hex').slice(0, 16))
    cleanups.push(() => removeState(state))
    const lines: string[] = []
    const database = await start(dataDir, (line) => lines.push(line))
    expect(lines.join()).toContain(`so the database lives in ${state}`)
    expect(await query(database, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await database.stop()

    chmodSync(parent, 0o755) // the database stays where it was made
    const again = await start(dataDir)
    expect(again.connection.host).toBe(join(state, 'run'))
  })
})

describe('several consoles and their ends', () => {
  test('an acknowledged row survives kill -9 of everything', async () => {
    const dataDir = temporaryFolder()
    const other = await startConsole(dataDir)
    await query(other, 'CREATE TABLE note (text text)')
    await query(other, `INSERT INTO note VALUES ('kept')`)
    const watchdogs = readdirSync(join(dataDir, 'postgres/run/users')).map(Number)
    for (const pid of [other.process.pid ?? 0, ...watchdogs, ...serversOf(dataDir)]) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // The end of one may take others with it in the same moment.
      }
    }
    const database = await start(dataDir)
    expect(database.adopted).toBe(false)
    expect(await query(database, 'SELECT text FROM note')).toEqual([{ text: 'kept' }])
  })

  test('no server is left behind by a console that was killed', async () => {
    const dataDir = temporaryFolder()
    const other = await startConsole(dataDir)
    other.process.kill('SIGKILL')
    await until('the server is gone', () => serversOf(dataDir).length === 0)
    expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false)
  })

  test('consoles that start at once share one server, and the last to leave stops it', async () => {
    const dataDir = temporaryFolder()
    const consoles = await Promise.all([startConsole(dataDir), startConsole(dataDir), startConsole(dataDir)])
    const [one, two, three] = consoles
    expect(new Set(consoles.map((each) => each.pid)).size).toBe(1)
    expect(consoles.filter((each) => !each.adopted)).toHaveLength(1)

    await end(one, 'SIGTERM')
    await end(two, 'SIGKILL')
    expect(await query(three, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await end(three, 'SIGTERM')
    // What watches over a killed console may leave after it.
    await expect.poll(() => isServing(three.pid, join(dataDir, 'postgres/data'))).toBe(false)
  })

  test('a start killed while it makes the database does not spoil the next one', async () => {
    const dataDir = temporaryFolder()
    const killed = launchConsole(dataDir)
    const home = join(dataDir, 'postgres')
    await until(
      'the draft exists',
      () => existsSync(home) && readdirSync(home).some((name) => name.startsWith('data.new-')),
    )
    await end({ process: killed }, 'SIGKILL')
    const database = await start(dataDir)
    expect(await query(database, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

/** Leaves the system's state folder as it was: other installations may use it. */
function removeState(state: string): void {
  rmSync(state, { recursive: true, force: true })
  if (readdirSync(dirname(state)).length === 0) rmdirSync(dirname(state))
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'back-office-'))
  chmodSync(folder, 0o755)
  cleanups.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

const serversOf = (dataDir: string) => listServers(join(dataDir, 'postgres/data'), isRoot ? pickAccount() : null)

async function start(dataDir: string, say: (line: string) => void = () => {}): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({ dataDir, say })
  cleanups.push(() => database.stop())
  return database
}

interface OtherConsole extends Pick<EmbeddedPostgres, 'pid' | 'adopted' | 'connection'> {
  process: ChildProcess
}

/** A process of its own that starts the database, says what it got, and stops it on SIGTERM. */
function launchConsole(dataDir: string): ChildProcess {
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(new URL('./start.ts', import.meta.url).href)})
    const database = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, say: console.error })
    process.on('SIGTERM', () => database.stop().then(() => process.exit()))
    setInterval(() => {}, 1000)
    console.log(JSON.stringify({ pid: database.pid, adopted: database.adopted, connection: database.connection }))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  cleanups.push(() => end({ process: child }, 'SIGTERM'))
  return child
}

async function startConsole(dataDir: string): Promise<OtherConsole> {
  const child = launchConsole(dataDir)
  if (!child.stdout) throw new Error('no output to read')
  for await (const line of createInterface({ input: child.stdout })) return { process: child, ...JSON.parse(line) }
  throw new Error('the other console ended before it had a database')
}

async function end({ process: child }: { process: ChildProcess }, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((done) => child.once('exit', done))
  child.kill(signal)
  await exited
}

async function query({ connection }: Pick<EmbeddedPostgres, 'connection'>, sql: string): Promise<unknown[]> {
  const client = new Client(connection)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const until = (what: string, isTrue: () => boolean) =>
  expect.poll(isTrue, { message: what, timeout: 60_000, interval: 20 }).toBe(true)
