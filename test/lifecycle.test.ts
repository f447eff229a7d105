import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { findChainBinary } from '#demo/chain/binary.ts'
import { password, platformKey } from './support/server.ts'
import { freePort } from '#test/support/free-port.ts'

const root = join(import.meta.dirname, '..')
const started: ChildProcess[] = []
const chainProgram = findChainBinary()
let dataDir: string

describe('npm start', () => {
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'back-office-lifecycle-'))
  })
  afterEach(async () => {
    for (const command of started.splice(0)) await end(command, 'SIGKILL')
  })
  afterAll(async () => {
    await waitUntil('the database is gone', () => listProcesses(dataDir).length === 0)
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('serves the console, and on SIGTERM ends with nothing left running', async () => {
    const port = await freePort()
    const command = start(port)
    await answers(command, port)
    expect(await end(command, 'SIGTERM')).toBe(0)
    expect(listProcesses(dataDir).map(readCommand)).toEqual([])
  })

  test('ends well on Ctrl-C, which reaches the server twice', async () => {
    const port = await freePort()
    const command = start(port)
    await answers(command, port)
    process.kill(-(command.pid ?? 0), 'SIGINT')
    expect(await end(command)).toBe(0)
    expect(listProcesses(dataDir).map(readCommand)).toEqual([])
  })

  test.each([
    ['the command itself', ['tools/run.mjs', 'start'], process.execPath],
    ['npm', ['start'], 'npm'],
  ])('leaves nothing running when %s is killed outright', async (_who, args, program) => {
    const port = await freePort()
    const command = start(port, program, args)
    await answers(command, port)
    command.kill('SIGKILL')
    await waitUntil('server and database are gone', () => listProcesses(dataDir).length === 0)
  })

  test.skipIf(process.platform !== 'linux').each([
    ['the server has hardly begun', ['src/server/main.ts']],
    ['its database comes up', ['/bin/postgres', 'postgres:']],
  ])('leaves nothing running when the command is killed outright while %s', async (_when, signs) => {
    const command = start(await freePort())
    const isThere = () => listProcesses(dataDir).some((pid) => signs.some((sign) => readCommand(pid).includes(sign)))
    await waitUntil('it starts', isThere, { interval: 5 })
    command.kill('SIGKILL')
    await waitUntil('server and database are gone', () => listProcesses(dataDir).length === 0)
  })

  test('keeps what it acknowledged when the server is killed outright', async () => {
    const port = await freePort()
    const first = start(port)
    await answers(first, port)
    const line = { type: 'member', id: 'm-1', email: 'ana@example.com' }
    const brought = await fetch(`http://127.0.0.1:${port}/api/platform/v1/import`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', authorization: `Bearer ${platformKey}` },
      body: JSON.stringify(line),
    })
    expect(await brought.json()).toMatchObject({ created: 1 })
    const cookie = await signIn(port)
    const banned = await fetch(`http://127.0.0.1:${port}/api/users/m-1/ban`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ reason: 'Fraud' }),
    })
    expect(banned.status).toBe(200)
    await waitUntil('all are gone', () => {
      const alive = listProcesses(dataDir)
      for (const pid of alive) kill(Number(pid))
      return alive.length === 0
    })

    const second = start(port)
    await answers(second, port)
    const read = async (path: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } })).json() as Promise<unknown>
    expect(await read('/api/users/m-1')).toMatchObject({ user: { kycBanned: true }, banInfo: { reason: 'Fraud' } })
    expect(await read('/api/admin/logs?action=ban_user')).toMatchObject({ total: 1 })
    await end(second, 'SIGTERM')
  })

  test('says so when its server is killed', async () => {
    const port = await freePort()
    const command = start(port)
    let output = ''
    command.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await answers(command, port)
    const [server] = listProcesses(dataDir).filter((pid) => readCommand(pid).includes('src/server/main.ts'))
    kill(Number(server))
    expect(await end(command)).toBe(137)
    expect(output).toContain('the console was ended by SIGKILL')
    await waitUntil('its database is gone', () => listProcesses(dataDir).length === 0)
  })

  test('says which port is taken and exits with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = readPort(other)
    const command = start(port)
    let output = ''
    for (const stream of [command.stdout, command.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    expect(await end(command)).toBe(1)
    expect(output).toContain(`port ${port} is taken`)
    expect(listProcesses(dataDir).map(readCommand)).toEqual([])
    other.close()
  })
})

/** As `npm start` does it, in a process group of its own like a command in a terminal. */
function start(port: number, program = process.execPath, args = ['tools/run.mjs', 'start']): ChildProcess {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    DATA_DIR: dataDir,
    DEMO: 'off',
    // With a chain of its own, where it can be had: one more that must not be left running.
    CHAIN_MODE: 'embedded',
    ADMIN_PASSWORD: password,
    PLATFORM_API_KEY: platformKey,
  }
  const command = spawn(program, args, { cwd: root, env, detached: true, stdio: 'pipe' })
  started.push(command)
  return command
}

/** Signs in with the first password, and replaces it. Returns the cookies. */
async function signIn(port: number): Promise<string> {
  const post = (path: string, body: object, cookie = '') =>
    fetch(`http://127.0.0.1:${port}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const readCookies = (reply: Response) => reply.headers.getSetCookie().map((each) => each.split(';')[0]!)
  const given = readCookies(await post('auth/login', { username: 'admin', password })).join('; ')
  const newPassword = 'a walk along the river at dusk'
  return readCookies(await post('account/password', { currentPassword: password, newPassword }, given)).join('; ')
}

async function answers(command: ChildProcess, port: number): Promise<void> {
  const readState = async () => {
    if (command.exitCode !== null) return `ended with ${command.exitCode}`
    const reply = await fetch(`http://127.0.0.1:${port}/live`).catch(() => null)
    return reply?.status === 200 && hasChain() ? 'answers' : 'is silent'
  }
  const state = await vi.waitUntil(
    async () => {
      const now = await readState()
      return now !== 'is silent' && now
    },
    { timeout: 110_000 },
  )
  expect(state, 'npm start').toBe('answers')
}

/** Waits for the end, if asked to after a signal; resolves to the exit code. */
async function end(command: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  if (signal) command.kill(signal)
  if (command.exitCode === null && command.signalCode === null) await once(command, 'exit')
  return command.exitCode
}

/** The end of one may take others with it in the same moment. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it had gone already
  }
}

/** Processes that have the folder in their command or environment. Known on Linux only. */
function listProcesses(folder: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(folder))
    } catch {
      return false
    }
  })
}

/** Whether the server's own chain runs, where it can. */
const hasChain = () =>
  !chainProgram || listProcesses(dataDir).some((pid) => readCommand(pid).startsWith(`${chainProgram} `))

/** An empty string once the process has gone. */
function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function readPort(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

async function waitUntil(what: string, isTrue: () => boolean, { interval = 50 } = {}): Promise<void> {
  await vi.waitFor(() => expect(isTrue(), what).toBe(true), { timeout: 60_000, interval })
}
