import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Signs in all consoles of the tests, which share databases. */
export const auditKey = Buffer.alloc(32, 5).toString('base64')
/** Encrypts their documents. */
export const documentsKey = Buffer.alloc(32, 6).toString('base64')

/** The tests' PostgreSQL. */
export interface PostgresAddress {
  host: string
  port: number
  user: string
  password: string
}

let databases = 0
/** A name that no other test has, of this worker or of another. */
export const newDatabaseName = (purpose: string): string => `${purpose}_${process.pid}_${++databases}`

/** A database of the tests' PostgreSQL as an operator writes DATABASE_URL; `host` may be the folder of its socket. */
export function buildDatabaseUrl(
  { host, port, user, password }: PostgresAddress,
  database: string,
  options = '',
): string {
  const query = new URLSearchParams({ host, ...(options && { options }) })
  return `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?${query}`
}

/** Waits for the address that a starting console prints. Rejects when it ends before. */
export const waitForAddress = (child: Pick<ChildProcess, 'stdout' | 'once'>): Promise<string> =>
  new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const found = /http:\/\/[\w.]+:\d+/.exec(line)?.[0]
      if (found) resolve(found)
    })
    child.once('exit', (code, signal) => reject(new Error(`the console ended at its start with ${signal ?? code}`)))
  })

const stopLimitMs = 5000

/** Ends a process whose stop is not what the test proves: by SIGTERM, and by SIGKILL where that takes longer than 5 s. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  const limit = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
  child.kill('SIGTERM')
  await ended
  clearTimeout(limit)
}

/** Whether it ended, by itself or by a signal. A process that a signal ended has no exit code. */
export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null
