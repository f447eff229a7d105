import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { growingPauses } from '#server/lib/restart-pauses.ts'
import { buildHistory, type ChainHistory, goLive, holdsHistory, placeMulticall3 } from './build.ts'
import { ChainEndedError, runChain, type RunningChain } from './run.ts'

export interface EmbeddedChain {
  /** Where it listens, once it holds its history; undefined while it does not. */
  find(): Promise<string | undefined>
  /** Of the shell that guards it. */
  pid(): number | undefined
  stop(): Promise<void>
}

interface Settings {
  binary: string
  dataDir: string
  /** What happened on it before. */
  history: ChainHistory
  log: FastifyBaseLogger
}

/** Runs a chain beside this process, and again, after growing pauses, whenever it dies. Answers at once. */
export function startEmbeddedChain({ binary, dataDir, history, log }: Settings): EmbeddedChain {
  const folder = join(dataDir, 'chain')
  const stateFile = join(folder, 'state.json')
  const stopping = new AbortController()
  const { signal } = stopping
  let current: RunningChain | undefined
  let ready: RunningChain | undefined

  const runHere = async () => (current = await runChain(binary, stateFile, history.genesis, signal))

  /** The chain as it was left; undefined where none was, or one that lacks some of its history, as after a crash. */
  async function reopen(): Promise<RunningChain | undefined> {
    if (!existsSync(stateFile)) return undefined
    const left = await runHere().catch((error: unknown) => {
      if (!(error instanceof ChainEndedError)) throw error
    })
    if (left && (await holdsHistory(left.url, history).catch(() => false))) return left
    await left?.stop()
    signal.throwIfAborted()
    // Kept aside, in case that somebody needs what it held.
    await rename(stateFile, `${stateFile}.unusable`)
    return undefined
  }

  async function open(): Promise<RunningChain> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const left = await reopen()
    const chain = left ?? (await runHere())
    // Also on one that was left: a version before this one may have put another there.
    await placeMulticall3(chain.url)
    if (!left) await buildHistory(chain.url, history)
    return chain
  }

  async function runOnce(): Promise<void> {
    try {
      const chain = await open()
      await goLive(chain.url)
      ready = chain
      await chain.ended
      if (!signal.aborted) log.warn('the local chain ended; it is started again')
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the local chain could not be started; it is tried again')
    } finally {
      ready = undefined
      await current?.stop()
    }
  }

  async function run(): Promise<void> {
    const pauseAfter = growingPauses()
    while (!signal.aborted) {
      const begun = performance.now()
      await runOnce()
      await pause(pauseAfter(performance.now() - begun), undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const running = run()

  return {
    find: async () => ready?.url,
    pid: () => ready?.pid,
    async stop() {
      stopping.abort()
      await running
    },
  }
}
