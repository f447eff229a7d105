import { describe, expect, test } from 'vitest'
import { registerTokens, registerWallets, readRows, buildExpectedRows } from '#test/support/chain-reader.ts'
import { transfer } from '#test/support/fakes/fake-chain.ts'
import {
  address,
  gold,
  unit,
  ana,
  bob,
  shop,
  registered,
  makeTransfers,
  countLogReads,
  setUpIndexing,
} from '#test/support/indexer-setup.ts'
import { runJob } from '#test/support/jobs.ts'
import { platformKey, startServer } from '#test/support/server.ts'

const server = await startServer()
const relabel = () => runJob(server.services, 'relabel-transfers')
const { world, node, reader, stopReader, mineSome, expectExact, health } = setUpIndexing(server)

describe('tokens and wallets', () => {
  const put = (decimals: number) =>
    server.app.inject({
      method: 'PUT',
      url: `/api/platform/v1/tokens/earning/${gold}`,
      headers: { authorization: `Bearer ${platformKey}` },
      payload: { projectName: 'Gold', tokenSymbol: 'GOLD', decimals },
    })

  test('that come later are read from the start, as from scratch', async () => {
    await server.sql('DELETE FROM wallets WHERE address = $1', [bob])
    await server.sql('DELETE FROM tokens WHERE contract_address = $1', [unit])
    mineSome(40)
    const started = await node({ mostBlocks: 15 })
    const reads = await reader([started])
    await reads.read()
    const few = { tokens: { [gold]: 18 }, wallets: [ana] }
    expect(await readRows(server)).toEqual(buildExpectedRows(world.chain, few))
    await registerTokens(server, { address: unit, decimals: 0 })
    world.chain.mine(makeTransfers(50))
    await reads.read()
    expect(await readRows(server)).toEqual(buildExpectedRows(world.chain, { ...few, tokens: registered.tokens }))
    await registerWallets(server, bob)
    await reads.read()
    await expectExact()
    expect((await health(reads)).backfilling).toBe(0)
    started.calls.length = 0
    world.chain.mine([])
    await reads.read()
    expect(countLogReads(started.calls), 'nothing is read again').toBeLessThanOrEqual(4)
  })

  test('a start block set lower brings in what came before it', async () => {
    mineSome(30)
    const started = await node()
    const late = await reader([started], { environment: { INDEXER_START_BLOCK: '20' } })
    await late.read()
    expect(await readRows(server)).toEqual(
      buildExpectedRows(world.chain, registered).filter(({ blockNumber }) => blockNumber >= 20),
    )
    await stopReader(late)
    await (await reader([started], { environment: { INDEXER_START_BLOCK: '5' } })).read()
    expect(await readRows(server)).toEqual(
      buildExpectedRows(world.chain, registered).filter(({ blockNumber }) => blockNumber >= 5),
    )
  })

  test('reading begins at the head without a start block (product 13.2)', async () => {
    mineSome(20)
    const started = await node()
    const ahead = await reader([started], { environment: { INDEXER_START_BLOCK: '500' } })
    await ahead.read()
    expect((await health(ahead)).problem).toContain('INDEXER_START_BLOCK')
    await stopReader(ahead)
    const reads = await reader([started], { environment: { INDEXER_START_BLOCK: '' } })
    await reads.read()
    world.chain.mine(makeTransfers(1), [], [])
    await reads.read()
    expect(await readRows(server)).toEqual(
      buildExpectedRows(world.chain, registered).filter(({ blockNumber }) => blockNumber > 18),
    )
    expect(await health(reads)).toMatchObject({ indexer: 'ok', problem: null })
  })

  test('many wallets are asked for by token alone, or in parts where refused', async () => {
    const crowd = Array.from({ length: 60 }, (_, n) => address('b', n))
    await registerWallets(server, ...crowd)
    mineSome(10)
    world.chain.mine(crowd.map((to) => transfer({ token: gold, from: shop, to, raw: 3n })))
    world.chain.mineEmpty(3)
    const environment = { INDEXER_TOPIC_CHUNK: '4' }
    const started = await node({ mostLogs: 8 })
    await (await reader([started], { environment })).read()
    expect(await readRows(server)).toEqual(
      buildExpectedRows(world.chain, { ...registered, wallets: [...registered.wallets, ...crowd] }),
    )
  })

  test('blocks in which only others moved something are not asked for their time', async () => {
    await registerWallets(server, ...Array.from({ length: 10 }, (_, n) => address('b', n)))
    for (let n = 0; n < 60; n++) world.chain.mine([transfer({ token: gold, from: shop, to: address('d', n), raw: 1n })])
    world.chain.mine(makeTransfers(1), [], [], [])
    const started = await node({ isWithoutTimes: true })
    await (await reader([started], { environment: { INDEXER_TOPIC_CHUNK: '1' } })).read()
    await expectExact()
    const headers = started.calls.flat().filter((method) => method === 'eth_getBlockByNumber').length
    expect(headers).toBeLessThan(20)
  })

  test('tens of thousands of wallets are read, with late and removed ones (product 4.5)', async () => {
    const last = `0x${(21_000).toString(16).padStart(40, '0')}`
    const [early, gone] = [address('b', 1), ana]
    const [owner] = await server.sql<{ id: string }>('SELECT id FROM members')
    await server.sql(
      `INSERT INTO wallets (member_id, address) SELECT $1, '0x' || lpad(to_hex(n), 40, '0') FROM generate_series(1, 21000) n`,
      [owner!.id],
    )
    const received = (n: number) =>
      [last, early, gone, `0x${n.toString(16).padStart(40, '0')}`].map((to) =>
        transfer({ token: gold, from: shop, to, raw: BigInt(n) }),
      )
    for (let n = 1; n < 12; n++) world.chain.mine(received(n * 1900))
    const crowd = Array.from({ length: 12 }, (_, n) => `0x${(n * 1900).toString(16).padStart(40, '0')}`)
    const wallets = [last, gone, `0x${'7'.padStart(40, '0')}`, ...crowd]
    const reads = await reader([await node()])
    await reads.read()
    expect(await readRows(server)).toEqual(buildExpectedRows(world.chain, { ...registered, wallets }))
    await server.sql(
      'INSERT INTO wallets (id, member_id, address) OVERRIDING SYSTEM VALUE VALUES (-1 + (SELECT min(id) FROM wallets), $1, $2)',
      [owner!.id, early],
    )
    await reads.read()
    expect(await readRows(server)).toEqual(
      buildExpectedRows(world.chain, { ...registered, wallets: [...wallets, early] }),
    )
    await server.sql('DELETE FROM wallets WHERE address = $1', [gone])
    world.chain.mine(received(7), [], [])
    await reads.read()
    const after = buildExpectedRows(world.chain, { ...registered, wallets: [...wallets, early] })
    expect(await readRows(server)).toEqual(after.filter(({ to, blockNumber }) => to !== gone || blockNumber <= 9))
  })

  test('decimals that are put right put its amounts right, to the last digit (product 6.1)', async () => {
    mineSome(20)
    const reads = await reader([await node()])
    await reads.read()
    expect((await put(6)).statusCode).toBe(200)
    await relabel()
    const six = { ...registered, tokens: { ...registered.tokens, [gold]: 6 } }
    expect(await readRows(server)).toEqual(buildExpectedRows(world.chain, six))
    world.chain.mine(makeTransfers(50), [], [])
    await reads.read()
    expect(await readRows(server)).toEqual(buildExpectedRows(world.chain, six))
  })

  test.each(['read for the first time', 'read again after a day', 'read for a wallet that came late'])(
    'decimals that are put right while a stretch is %s hold for its amounts too (product 6.1)',
    async (when) => {
      mineSome(20)
      if (when.includes('late')) await server.sql('DELETE FROM wallets WHERE address = $1', [bob])
      const reads = await reader([await node()])
      if (!when.includes('first')) await reads.read()
      if (when.includes('late')) await registerWallets(server, bob)
      await server.sql(`UPDATE chain_cursors SET reread_at = now() - interval '25 hours'`)
      const { logNodes } = reads.ctx.chain
      const read = logNodes.read.bind(logNodes)
      let puts = 0
      logNodes.read = async (work, options) => {
        const answer: unknown = await read(work, options)
        if (answer !== null && typeof answer === 'object' && 'transfers' in answer && puts++ === 0)
          expect((await put(6)).statusCode).toBe(200)
        return answer as never
      }
      await reads.read()
      await reads.read()
      expect(puts).toBeGreaterThan(0)
      await relabel()
      expect(await readRows(server)).toEqual(
        buildExpectedRows(world.chain, { ...registered, tokens: { ...registered.tokens, [gold]: 6 } }),
      )
    },
  )

  test('a symbol and a project that are put right show on its earlier transfers too', async () => {
    mineSome(6)
    const reads = await reader([await node()])
    await reads.read()
    expect((await put(18)).statusCode).toBe(200)
    await relabel()
    const symbols = `SELECT DISTINCT token_symbol AS symbol, project_name AS project FROM chain_transactions
      WHERE token_address = $1`
    expect(await server.sql(symbols, [gold])).toEqual([{ symbol: 'GOLD', project: 'Gold' }])
    world.chain.mine(makeTransfers(50), [], [])
    await reads.read()
    expect(await server.sql(symbols, [gold])).toEqual([{ symbol: 'GOLD', project: 'Gold' }])
  })

  test('an address that is not one does not stop the others', async () => {
    await server.sql('ALTER TABLE tokens DROP CONSTRAINT tokens_address_form')
    await server.sql(
      `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol) VALUES ('earning', 'x', 'Bad', '0xnone', 'BAD')`,
    )
    mineSome(10)
    await (await reader([await node()])).read()
    await expectExact()
  })

  test('a contract registered under both kinds has the scale of the first', async () => {
    await server.sql('DELETE FROM tokens WHERE contract_address = $1', [gold])
    await server.sql(
      `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol, decimals)
       VALUES ('fractions', 'x', 'Gold', $1, 'GOLD', 18)`,
      [gold],
    )
    mineSome(10)
    const reads = await reader([await node()])
    await reads.read()
    const reply = await server.as('ada')('POST', '/api/tokens/earning', {
      projectName: 'Gold',
      tokenSymbol: 'GOLD',
      contractAddress: gold,
      decimals: 6,
    })
    expect(reply.statusCode).toBe(200)
    await relabel()
    world.chain.mine(makeTransfers(11), [], [])
    await reads.read()
    expect(await readRows(server)).toEqual(
      buildExpectedRows(world.chain, { ...registered, tokens: { ...registered.tokens, [gold]: 6 } }),
    )
  })

  test('the most that 256 bits count is kept to the last digit', async () => {
    world.chain.mine([transfer({ token: unit, from: shop, to: ana, raw: 2n ** 256n - 1n })], [], [])
    await (await reader([await node()])).read()
    await expectExact()
    const { transactions } = (await server.as('ada')('GET', '/api/blockchain-transactions')).json()
    expect(transactions).toMatchObject([{ amount: `${2n ** 256n - 1n}` }])
  })
})
