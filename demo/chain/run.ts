import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { callNode, RpcError } from '#server/adapters/json-rpc.ts'
import { embeddedChainId } from '#server/adapters/chain-access.ts'
import { childEnvironment } from '#server/db/embedded/server-settings.ts'
import { freePort } from '#server/lib/free-port.ts'

const readyWithinMs = 15_000

/**
 * `sh` waits for the chain and for the end of its third descriptor: a pipe that this process keeps open and that closes however
 * this process ends. So the chain never outlives it, but for the seconds in which it saves its state.
 */
const guardScript = `
"$@" </dev/null 3<&- & chain=$!
( read -r _ <&3
  kill -TERM $chain
  for tenth in $(seq 50); do sleep 0.1; kill -0 $chain || exit; done
  kill -KILL $chain
) 2>/dev/null & guard=$!
wait $chain
kill -KILL $guard 2>/dev/null
`

export interface RunningChain {
  url: string
  pid: number
  /** Resolves when the chain has ended for any reason. */
  ended: Promise<void>
  /** Ends it after it has saved its state. */
  stop(): Promise<void>
}

/** The chain ended before it answered, as it does on a state that it cannot read. */
export class ChainEndedError extends Error {}

/**
 * Runs a chain on loopback: free gas, transactions of any account without a key, finality two blocks behind the head as on BSC.
 * `signal` ends it at any time. Throws ChainEndedError, or Error if it does not answer within 15 seconds or has no address.
 */
export async function runChain(
  binary: string,
  stateFile: string,
  genesisSeconds: number,
  signal?: AbortSignal,
): Promise<RunningChain> {
  signal?.throwIfAborted()
  const host = await pickLoopbackAddress()
  const port = await freePort(host)
  const flags = {
    host,
    port,
    'chain-id': embeddedChainId,
    'gas-price': 0,
    'base-fee': 0,
    'slots-in-an-epoch': 1,
    timestamp: genesisSeconds,
    state: stateFile,
    'state-interval': 30,
    accounts: 0,
    // Otherwise it writes hundreds of megabytes of old states into the account's home folder.
    'prune-history': 4,
  }
  const switches = ['--no-cors', '--quiet', '--no-mining', '--auto-impersonate', '--disable-min-priority-fee']
  const args = [...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]), ...switches]
  const child = spawn('/bin/sh', ['-c', guardScript, 'sh', binary, ...args], {
    env: childEnvironment(),
    // Ctrl-C must not reach it: told to end by two signals at once, a chain has been seen to run on.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const lifeline = child.stdio[3]!
  lifeline.on('error', () => {})
  const cut = () => void lifeline.destroy()
  signal?.addEventListener('abort', cut)
  let isOver = false
  const ended = new Promise<void>((resolve) => {
    child.once('exit', resolve)
    child.once('error', () => resolve())
  }).finally(() => {
    isOver = true
    cut()
    signal?.removeEventListener('abort', cut)
  })
  const stop = async () => {
    cut()
    await ended
  }
  const url = `http://${host}:${port}`
  if (!(await isReady(url, () => isOver))) {
    const reason = isOver ? new ChainEndedError('the local chain ended at its start') : new Error('it does not answer')
    await stop()
    throw reason
  }
  return { url, pid: child.pid!, ended, stop }
}

/**
 * The chain obeys every WebSocket, including those of pages of any site, which know loopback as 127.0.0.1. So it listens on one
 * of the 16 million other loopback addresses, where pages cannot find it. Throws where the system has no other: at 127.0.0.1 a
 * page would only have to try all ports.
 */
export async function pickLoopbackAddress(findPort = freePort): Promise<string> {
  const host = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
  try {
    await findPort(host)
    return host
  } catch (error) {
    throw new Error(`the local chain needs a loopback address of its own, and this system refuses ${host}`, {
      cause: error,
    })
  }
}

async function isReady(url: string, isOver: () => boolean): Promise<boolean> {
  const until = Date.now() + readyWithinMs
  while (!isOver() && Date.now() < until) {
    try {
      const [id] = await callNode(url, [{ method: 'eth_chainId', params: [] }], AbortSignal.timeout(1000))
      return Number(id) === embeddedChainId
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
    }
    await pause(20)
  }
  return false
}
