import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Services } from '#server/core/context.ts'
import { StartError } from '#server/db/embedded/errors.ts'
import { isDemoMissing } from './fill.ts'

/**
 * Fills the demo platform in a process of its own, so that the console keeps nothing of the memory that it takes to draw documents.
 * Throws StartError where that process fails, which has then said why.
 */
export async function fillDemoApart(services: Services): Promise<void> {
  if (!services.config.isDemoWanted || !(await isDemoMissing(services))) return
  const child = fork(join(import.meta.dirname, 'main.ts'), [], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new StartError('the demo platform could not be filled; the next start goes on with it')
}
