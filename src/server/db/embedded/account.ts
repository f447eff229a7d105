import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { StartError } from './errors.ts'

/** The unprivileged account that the database runs as when the console was started as root. */
export interface Account {
  name: string
  uid: number
  gid: number
}

const candidates = ['postgres', 'nobody']

/**
 * PostgreSQL refuses to run as root. `owner` is the uid that an existing database belongs to: it keeps its account,
 * whatever other accounts have been added since.
 */
export function pickAccount(owner?: number): Account {
  const accounts = readAccounts()
  const known = owner
    ? accounts.find((account) => account.uid === owner)
    : candidates
        .map((name) => accounts.find((account) => account.name === name))
        .find((account) => account !== undefined)
  if (known && known.uid > 0) return known
  if (owner) return { name: `uid ${owner}`, uid: owner, gid: owner }
  throw new StartError(
    'PostgreSQL does not run as root, and this system has no account "postgres" or "nobody": ' +
      'start the console as an ordinary user, add one of the two accounts, or set DATABASE_URL.',
  )
}

function readAccounts(): Account[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

/** Asks the system itself, since access lists and groups count too. Without an account (not root) the answer is yes. */
export function canSearch(folder: string, account: Account | null): boolean {
  return !account || runsAs(account, 'cd -- "$1"', folder)
}

export function canExecute(file: string, account: Account | null): boolean {
  return !account || runsAs(account, 'test -x "$1" -a -r "$1"', file)
}

function runsAs({ uid, gid }: Account, script: string, path: string): boolean {
  const { status, error } = spawnSync('/bin/sh', ['-c', script, 'sh', path], { uid, gid, cwd: '/', stdio: 'ignore' })
  if (error)
    throw new StartError(
      `Cannot run a program as uid ${uid} (${error.message}): start the console as an ordinary user.`,
    )
  return status === 0
}

/** The part of `spawn`'s options that makes a child run as the account. */
export function spawnIdentity(account: Account | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {}
}
