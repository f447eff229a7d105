import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Account, spawnIdentity } from './account.ts'
import { readErrorCode } from './errors.ts'

/** Whether a process has this id. A zombie, dead but not yet collected, counts too. */
export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return readErrorCode(error) === 'EPERM'
  }
}

/** Whether this id is the server of `cluster`, not a zombie or another process that got the id later. */
export function isServing(pid: number, cluster: string): boolean {
  return isAlive(pid) && (process.platform === 'win32' || readCommand(pid).includes(` -D ${cluster} `))
}

function readCommand(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

// Only processes of the same account can read the working folder of another. In a container not even root can.
const listWorkers = `
for process in /proc/[0-9]*; do
  [ "$process/cwd" -ef "$1" ] && read -r name < "$process/comm" && [ "$name" = postgres ] && echo "\${process#/proc/}"
done
true`

/** All PostgreSQL processes of `cluster`, including orphaned backends. Empty outside Linux. */
export function listServers(cluster: string, account: Account | null): number[] {
  if (process.platform !== 'linux') return []
  const options = { ...spawnIdentity(account), cwd: '/', encoding: 'utf8' } as const
  const { stdout } = spawnSync('/bin/sh', ['-c', listWorkers, 'sh', cluster], options)
  return stdout.split('\n').filter(Boolean).map(Number)
}
