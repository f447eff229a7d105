import { createServer } from 'node:net'
import { buildApp } from './app.ts'
import { readConfig, SettingError, type Config } from './config.ts'
import { StartError } from './db/embedded/errors.ts'
import { fillDemo } from './demo/fill.ts'
import { makeFirstAdmin } from './first-admin.ts'
import { startJobs } from './jobs/run.ts'
import { createLog } from './log.ts'
import { protectDemoData } from './settings.ts'
import { layFoundation } from './start.ts'

/** Within this long a stop ends, whatever still hangs on. */
const stopDeadlineMs = 8000

const say = (line: string) => console.log(line)

/** A port that is taken is told before anything is built or filled. */
async function requireFreePort({ port, host }: Config) {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(port, host, resolve))
  await new Promise((resolve) => probe.close(resolve))
}

async function start(config: Config) {
  const log = createLog(config.logLevel)
  await requireFreePort(config)
  const foundation = await layFoundation(config, log, say)
  const { services } = foundation
  const closers: (() => Promise<unknown>)[] = [() => foundation.close()]
  let stopping: Promise<void> | undefined
  const stop = (exitCode: number) => {
    stopping ??= (async () => {
      setTimeout(() => process.exit(exitCode || 1), stopDeadlineMs).unref()
      for (const close of closers.toReversed())
        await close().catch((error: unknown) => log.error({ err: error }, 'stopping'))
      process.exit(exitCode)
    })()
    return stopping
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
  // Started by tools/run.mjs: when that is gone, however it went, so are we.
  process.once('disconnect', () => void stop(0))
  process.channel?.unref()
  try {
    if (config.isDemoWanted) await fillDemo(services, say)
    await protectDemoData(services)
    const howToSignIn = await makeFirstAdmin(services)
    const app = await buildApp(services)
    closers.push(() => app.close())
    closers.push(startJobs(services))
    const address = await app.listen({ port: config.port, host: config.host })
    say(`\n  Back Office is ready: ${config.port === 0 ? address : config.publicUrl.origin}\n  ${howToSignIn}\n`)
  } catch (error) {
    if (!stopping) explain(error, config)
    await stop(1)
  }
}

/** What stops a start, in words an operator can act on. */
function explain(error: unknown, config?: Config) {
  if (error instanceof SettingError || error instanceof StartError) console.error(`Cannot start: ${error.message}`)
  else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    console.error(`Cannot start: port ${config?.port} is taken. Stop what uses it, or set PORT to another.`)
  else console.error('Cannot start:', error)
}

let config: Config | undefined
try {
  config = readConfig(process.env)
  await start(config)
} catch (error) {
  explain(error, config)
  process.exit(1)
}
