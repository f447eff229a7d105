import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { codeOf } from './errors.ts'

/** Whether any process has this id. A dead process that nobody has collected yet (a zombie) still counts. */
export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Whether this id is a PostgreSQL process at work in `cluster`, rather than a zombie or a stranger that got the id later. */
export function isServing(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false
  if (process.platform === 'linux') return worksIn(pid, cluster)
  if (process.platform === 'win32') return true
  try {
    const [state = 'Z', ...command] = execFileSync('ps', ['-o', 'stat=,args=', '-p', String(pid)], {
      encoding: 'utf8',
    }).split(' ')
    return !state.startsWith('Z') && command.join(' ').includes(cluster)
  } catch {
    return false
  }
}

/** Every PostgreSQL process at work in `cluster`, orphaned backends included. Known on Linux only; elsewhere empty. */
export function serversIn(cluster: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && worksIn(pid, cluster))
}

// PostgreSQL changes into its data folder. Comparing files rather than paths sees through links and mounts.
function worksIn(pid: number, cluster: string): boolean {
  try {
    const [here, there] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)]
    return (
      here.ino === there.ino &&
      here.dev === there.dev &&
      readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
    )
  } catch {
    return false
  }
}
