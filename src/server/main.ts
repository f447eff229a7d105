import { connect, createServer } from 'node:net'
import { buildApp } from './app.ts'
import { readConfig, SettingError, type Config } from './core/config.ts'
import type { Services } from './core/context.ts'
import { readErrorCode, StartError } from './db/embedded/errors.ts'
import { loadDemo } from './process/demo.ts'
import { createAdminIfNone } from './process/first-admin.ts'
import { startJobs } from './jobs/run.ts'
import { startMetricsServer } from './metrics/metrics-server.ts'
import { createLog } from './process/log.ts'
import { protectDemoData } from './core/stored-settings.ts'
import { checkDocumentStore, describeAccountRisk, openServerBase, requireDocumentsFolder } from './process/start.ts'

/** After its time to drain, a stop ends within this time, whatever still runs. */
const stopDeadlineMs = 20_000
/** Ctrl-C reaches the server twice, from the terminal and from npm. Signals within this time count as one. */
const sameSignalMs = 1000

const say = (line: string) => console.log(line)
// A server goes on when what reads its output has gone.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

/**
 * Reports a taken port, or a HOST of another machine, before anything is built or filled. Never listens on the port:
 * who connected to it then, such as clients of the server before, would be reset, or keep the start waiting.
 */
async function requireFreePort({ port, host }: Config) {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, host, resolve)).catch(
    (error: unknown) => {
      throw explainListenError(error, { port, host })
    },
  )
  await new Promise((resolve) => probe.close(resolve))
  if (port !== 0 && (await isAnswering(port, host))) throw portTaken(port)
}

const wildcards: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Whether somebody accepts connections there. */
function isAnswering(port: number, host: string): Promise<boolean> {
  const socket = connect({ port, host: wildcards[host] ?? host, timeout: 1000 })
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    for (const event of ['error', 'timeout']) socket.once(event, () => resolve(false))
  }).finally(() => socket.destroy())
}

const portTaken = (port: number, prefix = '') =>
  new SettingError(`port ${port} is taken. Stop what uses it, or set ${prefix}PORT to another.`)

/** `prefix` is that of the settings that name port and host. */
function explainListenError(error: unknown, { port, host }: { port: number; host: string }, prefix = ''): unknown {
  const code = readErrorCode(error)
  if (code === 'EADDRINUSE') return portTaken(port, prefix)
  if (code === 'EACCES')
    return new SettingError(`${prefix}PORT ${port} is kept from this account; set it to 1024 or above`)
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code))
    return new SettingError(
      `${prefix}HOST ${host} is not an address of this machine; set it to one that is, such as 127.0.0.1`,
    )
  return error
}

/** Stops at the first signal, and ends the process at a later one. */
function followSignals(stop: () => void): void {
  let signalledAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      signalledAt ??= performance.now()
      // A second signal means that the operator does not want to wait.
      if (performance.now() - signalledAt > sameSignalMs) process.exit(1)
      stop()
    })
}

/** Returns how to close them. */
async function openMetrics(services: Services, at: NonNullable<Config['metrics']>): Promise<() => Promise<void>> {
  const opened = await startMetricsServer(services, at).catch((error: unknown) => {
    throw explainListenError(error, at, 'METRICS_')
  })
  return opened.close
}

async function start(config: Config) {
  const log = createLog(config.logLevel)
  const closers: (() => Promise<unknown>)[] = []
  let stopping: Promise<void> | undefined
  const stop = (exitCode: number) => {
    stopping ??= (async () => {
      setTimeout(() => process.exit(exitCode || 1), config.drainSeconds * 1000 + stopDeadlineMs).unref()
      for (const close of closers.toReversed())
        await close().catch((error: unknown) => log.error({ err: error }, 'stopping'))
      process.exit(exitCode)
    })()
    return stopping
  }
  const isStopping = () => stopping !== undefined
  followSignals(() => void stop(0))
  // Ends together with tools/run.mjs, however that ended.
  process.once('disconnect', () => void stop(0))
  process.channel?.unref()
  if (process.send && !process.connected) return stop(0)
  try {
    await requireFreePort(config)
    if (isStopping()) return await stop(0)
    const opening = openServerBase(config, log, say)
    // A stop meanwhile waits until there is something to close. The catch below reports a failure.
    closers.push(async () => (await opening.catch(() => undefined))?.close())
    const { services } = await opening
    if (isStopping()) return await stop(0)
    requireDocumentsFolder(config)
    await checkDocumentStore(services)
    const risk = await describeAccountRisk(services)
    if (risk) say(risk)
    const demo = await loadDemo(services)
    await demo?.fill(services)
    await protectDemoData(services)
    const openDemo = await demo?.open(services, say)
    if (openDemo) closers.push(() => openDemo.stop())
    const howToSignIn = await createAdminIfNone(services)
    if (config.metrics) closers.push(await openMetrics(services, config.metrics))
    const app = await buildApp(services)
    const stopJobs = startJobs(services)
    closers.push(() => Promise.all([app.drain().then(() => app.close()), stopJobs()]))
    const { port, host } = config
    const address = await app.listen({ port, host }).catch((error: unknown) => {
      throw explainListenError(error, { port, host })
    })
    say(`\n  Back Office is ready: ${config.port === 0 ? address : config.publicUrl.origin}\n  ${howToSignIn}\n`)
    openDemo?.start(address)
  } catch (error) {
    if (!isStopping()) printStartError(error)
    await stop(1)
  }
}

/** Prints why the start failed, in words that an operator can act on. */
function printStartError(error: unknown) {
  if (error instanceof SettingError || error instanceof StartError) console.error(`Cannot start: ${error.message}`)
  else console.error('Cannot start:', error)
}

try {
  await start(readConfig(process.env))
} catch (error) {
  printStartError(error)
  process.exit(1)
}
