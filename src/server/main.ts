import { pino } from 'pino'
import { buildApp } from './app.ts'
import { readConfig, SettingError } from './config.ts'
import { StartError } from './db/embedded/errors.ts'
import { makeFirstAdmin } from './first-admin.ts'
import { startJobs } from './jobs/run.ts'
import { layFoundation } from './start.ts'

const say = (line: string) => console.log(line)

async function start() {
  const config = readConfig(process.env)
  const log = pino({ level: process.env.LOG_LEVEL || 'warn' })
  const foundation = await layFoundation(config, log, say)
  const { services } = foundation
  const closers: (() => Promise<unknown>)[] = [foundation.close]
  let isStopping = false
  const stop = async (exitCode: number) => {
    if (isStopping) return
    isStopping = true
    for (const close of closers.reverse()) await close().catch((error: unknown) => log.error({ err: error }, 'stopping'))
    process.exit(exitCode)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
  try {
    const howToSignIn = await makeFirstAdmin(services)
    const app = await buildApp(services)
    closers.push(() => app.close())
    closers.push(startJobs(services))
    await app.listen({ port: config.port, host: config.host })
    say(`\n  Back Office is ready: ${config.publicUrl.origin}\n  ${howToSignIn}\n`)
  } catch (error) {
    fail(error)
    await stop(1)
  }
}

/** What stops a start, in words an operator can act on. */
function fail(error: unknown) {
  const isPlain = error instanceof SettingError || error instanceof StartError
  if (isPlain) console.error(`Cannot start: ${error.message}`)
  else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    console.error(`Cannot start: port ${process.env.PORT || 3000} is taken. Stop what uses it, or set PORT.`)
  else console.error('Cannot start:', error)
}

await start().catch((error: unknown) => {
  fail(error)
  process.exit(1)
})
