import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { ProviderAddress } from '#server/adapters/kyc-provider.ts'
import { childEnvironment } from '#server/db/embedded/settings.ts'
import { growingPauses } from '#server/lib/restart-pauses.ts'

export interface Sandbox {
  /** Where it listens, once it does; undefined when it does not come up. */
  find(): Promise<ProviderAddress | undefined>
  /** Where this console listens: the sandbox sends its results there. */
  tell(console: string): void
  pid(): number | undefined
  stop(): Promise<void>
}

/** Runs the sandbox KYC provider beside this process, and again, after growing pauses, whenever it dies. */
export function startSandbox(log: FastifyBaseLogger): Sandbox {
  // Known to these two alone and new with every start.
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  let isStopping = false
  const pauseAfter = growingPauses()
  let again: NodeJS.Timeout | undefined
  let child: ChildProcess
  let listening: Promise<number | undefined>
  let address: string | undefined

  function run() {
    const begun = performance.now()
    child = fork(join(import.meta.dirname, 'main.ts'), [], {
      env: childEnvironment(),
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const { promise, resolve } = Promise.withResolvers<number | undefined>()
    listening = promise
    child.once('message', (port) => resolve(Number(port)))
    const end = () => {
      resolve(undefined)
      // The port that it has left may be another's by now.
      listening = Promise.resolve(undefined)
      if (isStopping) return
      log.warn('the sandbox provider ended; it is started again')
      again = setTimeout(run, pauseAfter(performance.now() - begun)).unref()
    }
    child.once('exit', end)
    const { pid } = child
    child.on('error', (error) => {
      log.warn({ err: error }, 'the sandbox provider')
      // One that could not even be started has no exit.
      if (pid === undefined) end()
    })
    child.send({ secret, console: address }, () => {})
    // Neither keeps this process alive.
    child.unref()
    child.channel?.unref()
  }
  run()

  return {
    async find() {
      const port = await listening
      return port === undefined
        ? undefined
        : { url: `http://127.0.0.1:${port}/kyc`, secrets: [secret], isSandbox: true }
    },
    tell(console) {
      // Where it listens on every address, it listens on loopback too.
      address = console.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
      if (child.connected) child.send({ console: address }, () => {})
    },
    pid: () => child.pid,
    async stop() {
      isStopping = true
      clearTimeout(again)
      if (child.exitCode !== null || child.signalCode !== null) return
      child.ref()
      const ended = new Promise((resolve) => child.once('exit', resolve))
      if (child.connected) child.disconnect()
      else child.kill('SIGKILL')
      await ended
    },
  }
}
