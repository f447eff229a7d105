import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { callNode } from '#server/adapters/json-rpc.ts'
import { multicall3Address } from '#server/adapters/multicall.ts'
import { makeChainHistory } from '#demo/platform/chain-history.ts'
import { createLog } from '#server/process/log.ts'
import { findChainBinary } from './binary.ts'
import { computeTokenAddress, treasury } from './build.ts'
import { pickLoopbackAddress } from './run.ts'
import { startEmbeddedChain } from './start.ts'

const binary = findChainBinary()
const withChain = test.skipIf(!binary)
const whole = makeChainHistory(Date.parse('2026-11-20T15:00:00Z'))
const history = { ...whole, moves: whole.moves.slice(0, 60) }
const dataDir = await mkdtemp(join(tmpdir(), 'back-office-chain-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))
const stateFile = join(dataDir, 'chain/state.json')

const settings = { binary: binary!, dataDir, history, log: createLog('silent') }
async function start(held = history) {
  const chain = startEmbeddedChain({ ...settings, history: held })
  onTestFinished(() => chain.stop())
  const find = () => eventually(async () => (await chain.find()) ?? expect.fail('not yet'))
  const url = await find()
  return { chain, url, find }
}
const ask = async (url: string, method: string, ...params: unknown[]) =>
  (await callNode(url, [{ method, params }], AbortSignal.timeout(5000)))[0]
const headOf = async (url: string) => {
  const { hash, number, timestamp } = (await ask(url, 'eth_getBlockByNumber', 'latest', false)) as Record<
    'hash' | 'number' | 'timestamp',
    string
  >
  return { hash, number: Number(number), timestamp: Number(timestamp) }
}
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

let made: Awaited<ReturnType<typeof headOf>>

withChain('a chain holds its whole history, with every token and Multicall3 in place', async () => {
  const { chain, url } = await start()
  made = await headOf(url)
  expect([made.number, made.timestamp]).toEqual([61, history.moves.at(-1)!.at / 1000])
  expect(await ask(url, 'eth_chainId')).toBe('0x539')
  for (const address of [multicall3Address, ...history.tokens.map((_, n) => computeTokenAddress(n))])
    expect(String(await ask(url, 'eth_getCode', address, 'latest')).length).toBeGreaterThan(1000)
  const logs = (await ask(url, 'eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })) as unknown[]
  expect(logs).toHaveLength(history.tokens.length + history.moves.length)
  const pid = chain.pid()!
  await chain.stop()
  expect([await chain.find(), isRunning(pid)]).toEqual([undefined, false])
})

withChain('a restart goes on where the chain was left, and what is sent is mined at once, as of now', async () => {
  const first = await start()
  expect(await headOf(first.url)).toEqual(made)
  const before = Math.floor(Date.now() / 1000)
  const sent = { from: treasury, to: computeTokenAddress(0), data: '0x18160ddd', gas: '0x186a0', gasPrice: '0x0' }
  await ask(first.url, 'eth_sendTransaction', sent)
  const later = await eventually(async () => {
    const head = await headOf(first.url)
    expect(head.number).toBe(62)
    return head
  })
  expect(later.timestamp).toBeGreaterThanOrEqual(before)
  expect(later.timestamp).toBeLessThanOrEqual(Date.now() / 1000 + 1)
  await first.chain.stop()
  const { url } = await start()
  expect(await headOf(url)).toEqual(later)
})

withChain(
  'a chain that dies comes back, and what it lost of its history is made again to the same last hash',
  async () => {
    const { chain, find } = await start()
    await rm(stateFile)
    await writeFile(stateFile, '{"block":')
    process.kill((await chainProcess()).pid, 'SIGKILL')
    await eventually(async () => expect(await chain.find()).toBeUndefined())
    const next = await find()
    expect(await headOf(next)).toEqual(made)
    expect(String(await ask(next, 'eth_getCode', multicall3Address, 'latest')).length).toBeGreaterThan(1000)
    // What could not be read is kept aside.
    expect(await readFile(`${stateFile}.unusable`, 'utf8')).toBe('{"block":')
  },
)

withChain('nobody finds the chain where pages of other sites look: on its port at 127.0.0.1', async () => {
  const { url } = await start()
  const { hostname, port } = new URL(url)
  expect(hostname).toMatch(/^127\.(?!0\.0\.1$)/)
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed')
})

test('where 127.0.0.1 is the only loopback address the chain stays off', async () => {
  const refuse = async (host = ''): Promise<number> => {
    if (host !== '127.0.0.1') throw new Error('EADDRNOTAVAIL')
    return 1
  }
  await expect(pickLoopbackAddress(refuse)).rejects.toThrow('needs a loopback address of its own')
})

withChain('a page that knew the address could neither read nor post, for want of CORS', async () => {
  const { url } = await start()
  const origin = 'http://other.example'
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { ...asked, origin } })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null])
  // What a page may post without asking first is not taken for a call.
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_nodeInfo', params: [] })
  const posted = await fetch(url, { method: 'POST', headers: { 'content-type': 'text/plain', origin }, body })
  expect(await posted.json()).toMatchObject({ error: { message: 'Invalid request' } })
})

withChain('a stop while the chain is being made ends it at once, and the next start makes it whole', async () => {
  await rm(stateFile, { force: true })
  const longer = { ...history, moves: whole.moves.slice(0, 300) }
  const cut = startEmbeddedChain({ ...settings, history: longer })
  onTestFinished(() => cut.stop())
  await eventually(async () => {
    const { url } = await chainProcess()
    expect((await headOf(url)).number).toBeGreaterThan(10)
  })
  await cut.stop()
  expect(await cut.find()).toBeUndefined()
  const { url } = await start(longer)
  expect((await headOf(url)).number).toBe(301)
})

/** The chain itself, among all processes of this machine. */
async function chainProcess(): Promise<{ pid: number; url: string }> {
  for (const pid of await readdir('/proc')) {
    const [program = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
    const valueOf = (flag: string) => args[args.indexOf(flag) + 1]
    if (program === binary && args.includes(stateFile))
      return { pid: Number(pid), url: `http://${valueOf('--host')}:${valueOf('--port')}` }
  }
  throw new Error('no chain is running')
}
