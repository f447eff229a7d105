import type { Page } from '@playwright/test'
import type { ChainHealth } from '#contract/schemas/chain.ts'
import { type FakeNode, startFakeNode } from '#test/support/fakes/chain-node.ts'
import { startConsole } from './support/console-server.ts'
import { expect, expectAccessible, expectLive, expectToast, test as base } from './support/harness.ts'

const health = (page: Page) => page.getByRole('dialog', { name: 'Chain health' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add Token' })
const field = (page: Page, label: string) => dialog(page).getByLabel(label)

const test = base.extend<{ node: FakeNode }>({
  node: async ({}, use) => {
    const node = await startFakeNode()
    await use(node)
    await node.close()
  },
})

const running: ChainHealth = {
  mode: 'rpc',
  network: 'BNB Smart Chain',
  chainId: 56,
  indexer: 'ok',
  problem: null,
  headBlock: 48_123_456,
  headAt: '2046-01-05T09:07:00.000Z',
  indexedBlock: 48_123_440,
  lagBlocks: 16,
  lagSeconds: 7,
  backfilling: 0,
  pendingAboveHead: 0,
  checkedAt: '2046-01-05T09:07:02.000Z',
  providers: [
    { host: 'bsc-dataseed.bnbchain.org', isUp: true, problem: null, serves: 'balances' },
    {
      host: 'node.a-very-long-name-of-a-provider.example.com:8545',
      isUp: false,
      problem: 'unavailable',
      serves: 'transfers',
    },
  ],
}
/** The name of the chip, and what it tells when pressed. */
const states: [Partial<ChainHealth>, [string, ...string[]]][] = [
  [{}, ['Chain up to date', 'BNB Smart Chain', 'Head 48,123,456', 'Indexed up to 48,123,440', '16 blocks, 7 s behind']],
  [
    { backfilling: 3 },
    ['Chain up to date', 'Earlier transfers of 3 newly registered wallets and tokens are still being read.'],
  ],
  [
    { backfilling: 10_001 },
    [
      'Chain up to date',
      'Earlier transfers of more than 10,000 newly registered wallets and tokens are still being read.',
    ],
  ],
  [
    { indexer: 'behind', indexedBlock: 48_000_000, lagBlocks: 123_456, lagSeconds: 55_555 },
    ['Chain catching up', '123,456 blocks, 15 h behind', 'The newest transfers are not here yet'],
  ],
  [
    { indexer: 'stalled', problem: 'The blockchain cannot be reached' },
    [
      'Chain stalled',
      'Last read',
      'The blockchain cannot be reached. Transfers since then are missing',
      'BSC_LOGS_RPC_URLS',
    ],
  ],
  [
    { indexer: 'stalled', problem: 'No node has had a new block since Jan 05, 2046 at 09:07 UTC' },
    ['Chain stalled', 'No node has had a new block since Jan 05, 2046', 'once a node has new blocks'],
  ],
  [
    { indexer: 'retrying', problem: 'The configured node serves another network' },
    ['Chain trying again', 'The configured node serves another network. It is tried again by itself'],
  ],
  [
    { pendingAboveHead: 1, headBlock: 48_123_400 },
    [
      'Chain up to date',
      'The chain ends at block 48,123,400',
      '1 transfer above it stays pending until the chain is that long again',
    ],
  ],
  [
    { indexer: 'halted', problem: 'block 7 is another block now' },
    ['Chain halted', 'block 7 is another', 'operating.md'],
  ],
  [
    { indexer: 'starting', headBlock: null, headAt: null, indexedBlock: null, lagBlocks: null, lagSeconds: null },
    ['Chain starting', 'The first blocks are about to be read'],
  ],
  [{ indexer: 'off', headBlock: null, indexedBlock: null, lagBlocks: null }, ['Chain not indexed', 'INDEXER=on']],
]

test('the Transactions screen shows how far the chain is read, live (product 12.3)', async ({ page, server }) => {
  let state: Partial<ChainHealth> = {}
  await page.route('**/api/chain/health', (route) => route.fulfill({ json: { ...running, ...state } }))
  await page.goto('/transactions')
  await expectLive(page)
  await page.getByRole('button', { name: 'Chain up to date' }).click()
  for (const [given, [name, ...texts]] of states) {
    state = given
    await server.sql("SELECT pg_notify('changes', 'chain')")
    await expect(page.getByRole('button', { name })).toBeVisible()
    for (const text of texts) await expect(health(page)).toContainText(text)
  }
  await expect(health(page)).toContainText('By JSON-RPC nodes, id 56')
  await expect(health(page)).toContainText('1 of 2 up')
  await expect(health(page).getByRole('listitem')).toHaveText([
    'bsc-dataseed.bnbchain.orgbalancesUp',
    'node.a-very-long-name-of-a-provider.example.com:8545transferscannot be reachedDown',
  ])
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.keyboard.press('Escape')
  await expect(health(page)).toBeHidden()
})

test.describe('a console with a chain', () => {
  const address = `0x${'7'.repeat(40)}`
  const withChain = test.extend({
    server: async ({ node }, use) => {
      const server = await startConsole('template_empty', { BSC_RPC_URLS: node.url, INDEXER: 'off' })
      await use(server)
      await server.stop()
    },
  })

  withChain(
    'Add Token shows what the contract says otherwise, and never waits for it (product 6.7)',
    async ({ page, server, node }) => {
      // A console is started for it alone.
      test.slow()
      node.facts.contracts.set(address, { hasCode: true, name: 'Solar Park שמש', symbol: 'Solr', decimals: 6n })
      await page.goto('/tokens?add=true')
      await expect(dialog(page)).toContainText('once the address is complete')
      await field(page, 'Project Name').fill('Solar Park')
      await field(page, 'Token Symbol').fill('moon')
      await field(page, 'Contract Address').fill(`0x${'8'.repeat(40)}`)
      await expect(dialog(page)).toContainText('No contract found here')
      await field(page, 'Contract Address').fill(address)
      await expect(dialog(page)).toContainText('On the chain: Solar Park שמש · Solr · 6 decimals')
      await expect(dialog(page).getByRole('listitem')).toHaveText([
        'Differs in symbol: Solr on the chain, MOON here',
        'Differs in decimals: 6 on the chain, 18 here',
      ])
      await expectAccessible(page)
      await dialog(page).getByRole('button', { name: 'Use SOLR and 6 decimals' }).click()
      await expect(field(page, 'Token Symbol')).toHaveValue('SOLR')
      await expect(field(page, 'Decimals')).toHaveValue('6')
      await expect(dialog(page).getByRole('listitem')).toHaveCount(0)

      // What is typed is what is saved, also while the chain is away; the registry tells afterwards.
      node.fault = (response) => void response.writeHead(500).end()
      const unknown = `0x${'9'.repeat(40)}`
      node.facts.contracts.set(unknown, { hasCode: true, name: 'Solar Park', symbol: 'SOLR', decimals: 6n })
      await field(page, 'Decimals').fill('18')
      await field(page, 'Contract Address').fill(unknown)
      await expect(dialog(page)).toContainText('The chain can’t be reached right now')
      await dialog(page).getByRole('button', { name: 'Add Token' }).click()
      await expectToast(page, 'Token created successfully')
      node.fault = null
      await server.importLines({
        type: 'token',
        kind: 'earning',
        projectName: 'Wind Park',
        tokenSymbol: 'WIND',
        contractAddress: address,
      })
      const row = page.getByRole('row').filter({ hasText: 'Wind Park' })
      await expect(row).toContainText('Symbol: Solr on the chain, WIND here; decimals: 6 on the chain, 18 here')
      await expectAccessible(page)
    },
  )
})
