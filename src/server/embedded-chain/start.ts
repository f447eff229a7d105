import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { growingPauses } from '#server/sandbox/pauses.ts'
import { buildHistory, type ChainHistory, holdsHistory, placeMulticall3 } from './build.ts'
import { runChain, type RunningChain } from './run.ts'

export interface EmbeddedChain {
  /** Where it listens, once it holds its history; undefined while it does not. */
  find(): Promise<string | undefined>
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
  const pauseAfter = growingPauses()
  let isStopping = false
  let again: NodeJS.Timeout | undefined
  let running: RunningChain | undefined
  let ready: string | undefined
  let starting = begin()

  /** The chain as it was left; where that lacks some of its history, as after a crash, one made anew. */
  async function open(): Promise<RunningChain> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const left = await runChain(binary, stateFile, history.genesis).catch(() => undefined)
    if (left && (await holdsHistory(left.url, history).catch(() => false))) return left
    await left?.stop()
    await rm(stateFile, { force: true })
    const fresh = await runChain(binary, stateFile, history.genesis)
    try {
      await placeMulticall3(fresh.url)
      await buildHistory(fresh.url, history)
      return fresh
    } catch (error) {
      await fresh.stop()
      throw error
    }
  }

  async function begin(): Promise<void> {
    const begun = performance.now()
    const retry = () => {
      ready = undefined
      running = undefined
      if (!isStopping) again = setTimeout(() => (starting = begin()), pauseAfter(performance.now() - begun)).unref()
    }
    try {
      const chain = await open()
      running = chain
      if (isStopping) return
      ready = chain.url
      void chain.ended.then(() => {
        if (!isStopping) log.warn('the local chain ended; it is started again')
        retry()
      })
    } catch (error) {
      log.warn({ err: error }, 'the local chain could not be started; it is tried again')
      retry()
    }
  }

  return {
    find: async () => ready,
    pid: () => running?.pid,
    async stop() {
      isStopping = true
      clearTimeout(again)
      await starting
      await running?.stop()
    },
  }
}
