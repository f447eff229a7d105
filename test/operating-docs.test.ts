import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { clearChainData, registerTokens, registerWallets, startReader } from './support/chain-reader.ts'
import { FakeChain, startFakeChainNode } from './support/fakes/fake-chain.ts'
import { startServer } from './support/server.ts'

const page = await readFile(join(import.meta.dirname, '../docs/operating.md'), 'utf8')
const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
const config = await readFile(join(import.meta.dirname, '../src/server/core/settings.ts'), 'utf8')
const server = await startServer()

const turnsADay = 86_400 / 15
/** 25 hours of blocks of 0.45 s, 2,000 at a time. */
const stretchesANight = (25 * 3600) / 0.45 / 2000

beforeEach(() => clearChainData(server))

const address = (digit: string, n: number) => `0x${(0x100_000 + n).toString(16).padStart(40, digit)}`

/** HTTP calls and JSON-RPC requests of one turn that finds new blocks, by the request counter and by the node. */
async function costOfTurn(wallets: number) {
  await registerTokens(server, { address: address('c', 1), decimals: 18 })
  await registerWallets(server, ...Array.from({ length: wallets }, (_, n) => address('a', n)))
  const chain = new FakeChain()
  chain.mineEmpty(100)
  const node = await startFakeChainNode(chain)
  onTestFinished(() => node.close())
  const reader = await startReader(server, [node], { environment: { INDEXER_POLL_MS: '15000' } })
  await reader.read()
  chain.mineEmpty(33)
  const before = { calls: reader.ctx.chain.logNodes.calls(), requests: node.calls.flat().length }
  await reader.read()
  const cost = {
    calls: reader.ctx.chain.logNodes.calls() - before.calls,
    requests: node.calls.flat().length - before.requests,
  }
  await reader.stop()
  return cost
}

/** The cells of the page's row that begins so. */
const row = (name: string) =>
  page
    .split('\n')
    .find((line) => line.startsWith(`| ${name} `))
    ?.split('|')
    .slice(2, -1)
    .map((cell) => Number(cell.replaceAll(/[^\d]/g, '')))

test.each([
  ['1,000', 1000, 5, 4],
  // Beyond 1,000 wallets their number makes no difference: all transfers of the tokens are read.
  ['100,000', 1001, 1, 3],
])(
  'docs/operating.md: what %s wallets cost a day is what the request counter says',
  async (name, wallets, parts, ofPart) => {
    const { calls, requests } = await costOfTurn(wallets)
    const night = { calls: stretchesANight * parts + 1, requests: stretchesANight * parts * ofPart + 1 }
    expect(row(name)).toEqual([calls, requests, calls * turnsADay + night.calls, requests * turnsADay + night.requests])
  },
)

test('README and docs/operating.md: every setting that the server reads is told', () => {
  const settings = [...config.matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name!)
  expect(settings.length).toBeGreaterThan(30)
  expect(settings.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
})

test('docs/operating.md: what it asks the database can be asked', async () => {
  const statements = [...page.matchAll(/-c (["'])\s*(SELECT[^"]*?)\1/g)].map(([, , statement]) => statement!)
  expect(statements.length).toBeGreaterThanOrEqual(3)
  for (const statement of statements) await server.sql(`EXPLAIN ${statement}`)
})
