import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { ProviderAddress } from '#server/adapters/kyc-provider.ts'
import { childEnvironment } from '#server/db/embedded/server-settings.ts'
import { createRestartPauses } from '#demo/restart-pauses.ts'

export interface Sandbox {
  /** Its address once it listens. Undefined if it does not start. */
  find(): Promise<ProviderAddress | undefined>
  /** Sets the console's address, where the sandbox sends its results. */
  setConsoleAddress(address: string): void
  pid(): number | undefined
  stop(): Promise<void>
}

/** Runs the sandbox KYC provider beside this process, and again, after growing pauses, whenever it dies. */
export const startSandbox = (log: FastifyBaseLogger): Sandbox => new SupervisedSandbox(log)

class SupervisedSandbox implements Sandbox {
  readonly #log: FastifyBaseLogger
  // Known to these two alone and new with every start.
  readonly #secret = `whsec_${randomBytes(32).toString('base64')}`
  readonly #pauseAfter = createRestartPauses()
  #isStopping = false
  #again: NodeJS.Timeout | undefined
  #child: ChildProcess
  #listening: Promise<number | undefined> = Promise.resolve(undefined)
  #address: string | undefined

  constructor(log: FastifyBaseLogger) {
    this.#log = log
    this.#child = this.#run()
  }

  async find() {
    const port = await this.#listening
    return port === undefined
      ? undefined
      : { url: `http://127.0.0.1:${port}/kyc`, secrets: [this.#secret], isSandbox: true }
  }

  setConsoleAddress(address: string) {
    // Where it listens on every address, it listens on loopback too.
    this.#address = address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
    if (this.#child.connected) this.#child.send({ console: this.#address }, () => {})
  }

  pid() {
    return this.#child.pid
  }

  async stop() {
    const child = this.#child
    this.#isStopping = true
    clearTimeout(this.#again)
    if (child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.connected) child.disconnect()
    else child.kill('SIGKILL')
    await ended
  }

  #run(): ChildProcess {
    const begun = performance.now()
    const child = fork(join(import.meta.dirname, 'main.ts'), [], {
      // What Node was told holds for this Node too.
      env: { ...childEnvironment(), NODE_OPTIONS: process.env.NODE_OPTIONS ?? '' },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const { promise, resolve } = Promise.withResolvers<number | undefined>()
    this.#listening = promise
    child.once('message', (port) => resolve(Number(port)))
    const end = () => {
      resolve(undefined)
      this.#restartLater(begun)
    }
    child.once('exit', end)
    const { pid } = child
    child.on('error', (error) => {
      this.#log.warn({ err: error }, 'the sandbox provider')
      // One that could not even be started has no exit.
      if (pid === undefined) end()
    })
    child.send({ secret: this.#secret, console: this.#address }, () => {})
    // Neither keeps this process alive.
    child.unref()
    child.channel?.unref()
    return child
  }

  #restartLater(begun: number) {
    // The port that it has left may be another's by now.
    this.#listening = Promise.resolve(undefined)
    if (this.#isStopping) return
    this.#log.warn('the sandbox provider ended; it is started again')
    const restart = () => (this.#child = this.#run())
    this.#again = setTimeout(restart, this.#pauseAfter(performance.now() - begun)).unref()
  }
}
