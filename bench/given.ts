import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/**
 * Starts a file of this folder in its own process and sends it `given`. A message, because all SQL of a console is too long for an
 * argument. `flags` are those of Node.
 */
export function forkWith(file: string, given: unknown, flags: string[] = []): ChildProcess {
  const child = fork(join(import.meta.dirname, file), { execArgv: [...process.execArgv, ...flags] })
  child.send(given as object)
  return child
}

/** In the started process: what `forkWith` sent. */
export async function receiveGiven<Given>(): Promise<Given> {
  const [given] = (await once(process, 'message')) as [Given]
  return given
}
