import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createRestartPauses } from '#demo/restart-pauses.ts'
import { buildHistory, type ChainHistory, startMining, holdsHistory, placeMulticall3 } from './build.ts'
import { ChainEndedError, runChain, type RunningChain } from './run.ts'

export interface EmbeddedChain {
  /** Its URL once it contains its history. Otherwise undefined. */
  find(): Promise<string | undefined>
  /** The pid of the shell that guards it. */
  pid(): number | undefined
  stop(): Promise<void>
}

interface ChainSettings {
  binary: string
  dataDir: string
  /** What happened on it before. */
  history: ChainHistory
  log: FastifyBaseLogger
}

/** Runs a chain beside this process, and again, after growing pauses, whenever it dies. Answers at once. */
export const startEmbeddedChain = (settings: ChainSettings): EmbeddedChain => new SupervisedChain(settings)

class SupervisedChain implements EmbeddedChain {
  readonly #settings: ChainSettings
  readonly #folder: string
  readonly #stateFile: string
  readonly #stopping = new AbortController()
  #current: RunningChain | undefined
  #ready: RunningChain | undefined
  readonly #running: Promise<void>

  constructor(settings: ChainSettings) {
    this.#settings = settings
    this.#folder = join(settings.dataDir, 'chain')
    this.#stateFile = join(this.#folder, 'state.json')
    this.#running = this.#run()
  }

  async find() {
    return this.#ready?.url
  }

  pid() {
    return this.#ready?.pid
  }

  async stop() {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    const pauseAfter = createRestartPauses()
    while (!signal.aborted) {
      const begun = performance.now()
      await this.#runOnce()
      await pause(pauseAfter(performance.now() - begun), undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #runOnce(): Promise<void> {
    const { signal } = this.#stopping
    const { log } = this.#settings
    try {
      const chain = await this.#open()
      await startMining(chain.url)
      this.#ready = chain
      await chain.ended
      if (!signal.aborted) log.warn('the local chain ended; it is started again')
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the local chain could not be started; it is tried again')
    } finally {
      this.#ready = undefined
      await this.#current?.stop()
    }
  }

  async #open(): Promise<RunningChain> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const left = await this.#reopen()
    const chain = left ?? (await this.#runHere())
    // Also on one that was left: a version before this one may have put another there.
    await placeMulticall3(chain.url)
    if (!left) await buildHistory(chain.url, this.#settings.history)
    return chain
  }

  /** The chain as it was left; undefined where none was, or one that lacks some of its history, as after a crash. */
  async #reopen(): Promise<RunningChain | undefined> {
    if (!existsSync(this.#stateFile)) return undefined
    const left = await this.#runHere().catch((error: unknown) => {
      if (!(error instanceof ChainEndedError)) throw error
    })
    if (left && (await holdsHistory(left.url, this.#settings.history).catch(() => false))) return left
    await left?.stop()
    this.#stopping.signal.throwIfAborted()
    // Kept aside, in case that somebody needs what it held.
    await rename(this.#stateFile, `${this.#stateFile}.unusable`)
    return undefined
  }

  async #runHere(): Promise<RunningChain> {
    const { binary, history } = this.#settings
    this.#current = await runChain(binary, this.#stateFile, history.genesis, this.#stopping.signal)
    return this.#current
  }
}
