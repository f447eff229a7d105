import { afterAll, expect, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { makeChainHistory } from '#demo/platform/chain-history.ts'
import { makePlatform } from '#demo/platform/history.ts'
import { demoTokens, makeTokens } from '#demo/platform/tokens.ts'
import { findChainBinary } from './binary.ts'
import { saveTokens } from '#server/features/tokens/save.ts'
import { startServer } from '#test/support/server.ts'
import { readConfig } from '#server/core/config.ts'
import {
  canRunLocalChain,
  type LocalChain,
  markLocalChain,
  openLocalChain,
  readLocalChainStart,
} from './local-chain.ts'
import { markDemoData } from '#server/core/stored-settings.ts'

const server = await startServer()
const { services, system } = server
const { database } = services
const at = Date.parse('2026-11-20T15:00:00Z')
const withChain = test.skipIf(!findChainBinary())
let chain: LocalChain | undefined
afterAll(() => chain?.stop())

async function open(given: Record<string, string> = {}) {
  const said: string[] = []
  const local = { ...services, config: { ...readConfig(given), dataDir: services.config.dataDir } }
  const opened = await openLocalChain(local, (line) => said.push(line))
  return { opened, said, access: local.chain }
}
const someWallet = `0x${'12'.repeat(20)}`

test('without demo data there is no local chain, unless it is asked for by name (product 13.2)', async () => {
  const { said, access } = await open()
  expect([said, access.mode]).toEqual([[], 'off'])
  expect(await readLocalChainStart(database.db)).toBeUndefined()
})

withChain('asked for by name, one of no history comes up, and its beginning is kept (product 13.2)', async () => {
  const { opened, said, access } = await open({ CHAIN_MODE: 'embedded' })
  expect([said, access.mode, access.chainId]).toEqual([[], 'embedded', 1337])
  const since = await readLocalChainStart(database.db)
  opened.start()
  const balance = await eventually(() => access.reader.balance(someWallet, []))
  expect(balance).toMatchObject({ totalBalance: '0', nativeBalance: '0', blockNumber: '1', chainId: 1337 })
  await opened.stop()
  await expect(access.reader.balance(someWallet, [])).rejects.toMatchObject({ code: 'chain_unavailable' })
  await open({ CHAIN_MODE: 'embedded' })
  expect(await readLocalChainStart(database.db)).toBe(since)
  await server.sql(`DELETE FROM settings`)
})

withChain('a fill brings no transfers in where a local chain can run and none is set (product 13.4)', () => {
  const nodes = 'http://127.0.0.1:1'
  const settings: Record<string, string>[] = [
    {},
    { CHAIN_MODE: 'embedded', BSC_RPC_URLS: nodes },
    { CHAIN_MODE: 'off' },
    { BSC_RPC_URLS: nodes },
  ]
  expect(settings.map((given) => canRunLocalChain(readConfig(given)))).toEqual([true, true, false, false])
})

test('a demo platform whose transfers were brought in never gets a chain, and says why (product 13.4)', async () => {
  await database.transaction(markDemoData)
  for (const chainMode of ['auto', 'embedded']) {
    const { said, access } = await open({ CHAIN_MODE: chainMode })
    expect([said, access.mode]).toEqual([[access.whyOff], 'off'])
    expect(access.whyOff).toContain('this demo platform was filled without one')
    const refused = { code: 'chain_disabled', message: access.whyOff }
    await expect(access.reader.balance(someWallet, [])).rejects.toMatchObject(refused)
  }
})

withChain(
  'of every demo wallet that ever held something, and of others, each token’s balance is what plain JSON-RPC says (product 13.4)',
  async () => {
    await markLocalChain(database.db, new Date(at).toISOString())
    const tokens = makeTokens(at).map((token) => ({ ...token, isActive: true }))
    await database.transaction((tx) => saveTokens(tx, system, tokens))
    const said: string[] = []
    chain = await openLocalChain(services, (line) => said.push(line))
    const { moves } = makeChainHistory(at)
    const moved = new Set(moves.map(({ to }) => to))
    const wallets = makePlatform(at)
      .lines.flatMap((line) => (line.type === 'wallet' ? [line.address] : []))
      .filter((wallet, n) => moved.has(wallet) || n % 10 === 0)
    const ask = (wallet: string) => server.as('ada')('GET', `/api/wallet-balance/${wallet}`)
    expect((await ask(wallets[0]!)).json()).toMatchObject({ code: 'chain_unavailable' })
    chain.start()
    await eventually(async () => expect((await ask(wallets[0]!)).statusCode).toBe(200), 60)
    expect(said).toEqual([])

    const truth = await readPlainly((await chain.find())!, wallets)
    const next = wallets.values()
    const wrong: unknown[] = []
    let held = 0
    const walk = async () => {
      for (const wallet of next) {
        const { tokens: read, partial, blockNumber } = (await ask(wallet)).json()
        const found = new Map(read.map((each: Record<string, string>) => [each.tokenSymbol, each.balance]))
        for (const { symbol } of demoTokens) {
          const expected = truth.get(`${symbol}/${wallet}`)
          if (expected !== '0') held++
          if (partial || Number(blockNumber) < 1000 || found.get(symbol) !== expected)
            wrong.push([wallet, symbol, found.get(symbol), expected])
        }
      }
    }
    await Promise.all(Array.from({ length: 4 }, walk))
    expect([wrong, wallets.length > 500, held > 700]).toEqual([[], true, true])
    // And what plain JSON-RPC says is what the demo's own transfers add up to.
    const sums = new Map<string, bigint>()
    const add = (key: string, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount)
    for (const { token, from, to, amount } of moves) {
      add(`${token}/${from}`, -amount)
      add(`${token}/${to}`, amount)
    }
    for (const { symbol, decimals } of demoTokens)
      for (const wallet of wallets)
        if (truth.get(`${symbol}/${wallet}`) !== inTokens(sums.get(`${symbol}/${wallet}`) ?? 0n, decimals))
          wrong.push([symbol, wallet])
    expect(wrong).toEqual([])
  },
)

const inTokens = (amount: bigint, decimals: number) => {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const rest = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return digits.slice(0, digits.length - decimals) + (rest && `.${rest}`)
}

/** `<symbol>/<wallet>` to its balance, by nothing but `eth_call` of `balanceOf`. */
async function readPlainly(url: string, wallets: readonly string[]): Promise<Map<string, string>> {
  const pairs = wallets.flatMap((wallet) => demoTokens.map((token) => ({ wallet, token })))
  const truth = new Map<string, string>()
  for (let from = 0; from < pairs.length; from += 1500) {
    const part = pairs.slice(from, from + 1500)
    const body = part.map(({ wallet, token }, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_call',
      params: [{ to: token.address, data: `0x70a08231${wallet.slice(2).padStart(64, '0')}` }, 'latest'],
    }))
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    for (const { id, result } of (await reply.json()) as { id: number; result: string }[]) {
      const { wallet, token } = part[id]!
      truth.set(`${token.symbol}/${wallet}`, inTokens(BigInt(result), token.decimals))
    }
  }
  return truth
}
