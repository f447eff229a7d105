import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pickAccount, spawnIdentity } from '#server/db/embedded/account.ts'
import { freePort } from '#test/support/free-port.ts'

const programs = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore', 'postgres']

/** The folder of a PostgreSQL that this machine has with all its tools, which the embedded one lacks. Undefined if there is none. */
export function findSystemPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...(existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []),
  ]
  return folders.find((folder) => programs.every((program) => existsSync(join(folder, program))))
}

const password = 'any'

/** A PostgreSQL server of its own, with its superuser `postgres`, at a port of this machine. Stop it at the end. */
export async function startSystemPostgres(
  bin: string,
  settings: Record<string, string> = {},
  { hasSocket = false, asksPassword = false } = {},
) {
  const account = process.getuid?.() === 0 ? pickAccount() : null
  const folder = mkdtempSync(join(tmpdir(), 'back-office-system-'))
  if (account) chownSync(folder, account.uid, account.gid)
  const options = { ...spawnIdentity(account), cwd: folder, stdio: 'ignore' as const }
  const data = join(folder, 'data')
  const port = await freePort()
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  const access = [`--auth=${asksPassword ? 'scram-sha-256' : 'trust'}`, `--pwfile=${passwordFile}`]
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', ...access, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    options,
  )
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: hasSocket ? folder : '',
    port,
    fsync: 'off',
    ...settings,
  }
  const given = Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`)
  const log = join(folder, 'log')
  const control = (...args: string[]) => execFileSync(join(bin, 'pg_ctl'), ['-D', data, '-w', ...args], options)
  const start = () => void control('-l', log, '-o', given.join(' '), 'start')
  start()
  return {
    port,
    data,
    /** Of its socket, if it has one. */
    folder,
    /** DATABASE_URL of a database here. */
    buildUrl: (database: string, user = 'postgres') => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`,
    start,
    /** Ends it, so that it can be started again. */
    shutDown: () => void control('-m', 'fast', 'stop'),
    /** Runs a program with its account. Throws with what it complained of. */
    run(program: string, args: string[]) {
      const { status, stdout, stderr } = spawnSync(program, args, { ...options, stdio: 'pipe', encoding: 'utf8' })
      if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`)
    },
    stop() {
      spawnSync(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], options)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a tool, such as pg_dump. Throws with what it complained of. */
export function runTool(bin: string, name: string, args: string[]): void {
  const { status, stderr } = spawnSync(join(bin, name), args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name}: ${stderr}`)
}
