import { join } from 'node:path'
import { freePort } from '#test/support/free-port.ts'
import type { Cluster } from '#test/faults/cluster.ts'
import type { ConsoleProcess } from '#test/faults/console.ts'
import { type Installation, startInstallation } from '#test/faults/installation.ts'
import { type Scenario, type ScenarioOptions, type ScenarioResult, waitUntil } from '#test/faults/scenario.ts'
import { startTcpProxy } from '#test/faults/tcp-proxy.ts'
import { buildDatabaseUrl } from '#test/support/console-process.ts'
import { FakeChain, startFakeChainNode, transfer } from '#test/support/fakes/fake-chain.ts'

/** With the settings that a console has by itself: a lease of 15 seconds, and a look at the chain every 15. */
const overtakenWithinMs = 60_000
const [token, wallet, shop] = ['1', 'a', 'e'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string]

type Silence = 'frozen' | 'cut off'

/** A chain of which each block has one transfer of a member, and what makes the console read it. */
async function startChain(installation: Installation) {
  await installation.query(async (client) => {
    await client.query(
      `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol, decimals) VALUES ('earning', 'x', 'Project', $1, 'ONE', 18)`,
      [token],
    )
    await client.query('INSERT INTO wallets (member_id, address) SELECT id, $1 FROM members ORDER BY id LIMIT 1', [
      wallet,
    ])
  })
}

const mine = (chain: FakeChain, blocks: number) => {
  for (let n = 0; n < blocks; n++) chain.mine([transfer({ token, from: shop, to: wallet, raw: 1n })])
}

const countTransfers = (installation: Installation) =>
  installation.query(async (client) => {
    const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM chain_transactions')
    return rows[0]!.n
  })

const readHolder = (installation: Installation) =>
  installation.query(async (client) => {
    const { rows } = await client.query<{ server: string }>(
      `SELECT server FROM leases WHERE name LIKE 'chain indexer %' AND held_until > now()`,
    )
    return rows[0]?.server
  })

async function startProxy({ host, port }: Cluster['connection']) {
  return startTcpProxy(host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port })
}

/** Two consoles, of which the one that reads falls silent. Each transfer is read once, and the other one goes on in time. */
async function runRound(
  installation: Installation,
  chain: FakeChain,
  environment: Record<string, string>,
  kind: Silence,
) {
  const { cluster } = installation
  const proxy = await startProxy(cluster.connection)
  const throughProxy = buildDatabaseUrl({ ...cluster.server, host: '127.0.0.1', port: proxy.port }, 'app')
  let other: ConsoleProcess | undefined
  const first = await installation.startAnother(await freePort(), { ...environment, DATABASE_URL: throughProxy })
  const violations: string[] = []
  try {
    mine(chain, 3)
    const before = await countTransfers(installation)
    await waitUntil('the first console reads', async () => (await countTransfers(installation)) > before)
    const holder = await readHolder(installation)
    other = await installation.startAnother(await freePort(), environment)
    const silentAt = performance.now()
    if (kind === 'frozen') process.kill(first.pid, 'SIGSTOP')
    else proxy.setMode('silent')
    mine(chain, 3)
    const wanted = chain.head
    await waitUntil('the other console reads', async () => (await countTransfers(installation)) >= wanted, 120)
    const ms = performance.now() - silentAt
    if (ms > overtakenWithinMs) violations.push(`${kind}: overtaken only after ${Math.round(ms)} ms`)
    const next = await readHolder(installation)
    if (next === holder) violations.push(`${kind}: the lease is still that of ${holder}`)
    if (kind === 'frozen') process.kill(first.pid, 'SIGCONT')
    else proxy.setMode('open')
    mine(chain, 3)
    await waitUntil('both read on', async () => (await countTransfers(installation)) >= chain.head, 120)
    return { ms, violations: [...violations, ...(await findDoubled(installation, chain))] }
  } finally {
    if (kind === 'frozen') process.kill(first.pid, 'SIGCONT')
    await first.kill()
    await other?.stop()
    await proxy.close()
  }
}

async function findDoubled(installation: Installation, chain: FakeChain): Promise<string[]> {
  const count = await countTransfers(installation)
  return count === chain.head ? [] : [`${count} transfers are stored, of ${chain.head}`]
}

export const silentReader: Scenario = {
  name: 'silent-reader',
  title: 'the server that reads the chain is frozen, or its network carries nothing',
  rounds: 2,
  async run({ workspace, rounds }: ScenarioOptions): Promise<ScenarioResult> {
    const installation = await startInstallation(workspace, { targets: 1 })
    const chain = new FakeChain()
    const node = await startFakeChainNode(chain)
    await startChain(installation)
    // It has no chain, and would only be in the way.
    await installation.console.stop()
    const environment = { CHAIN_MODE: 'rpc', BSC_RPC_URLS: node.url, INDEXER_START_BLOCK: '0' }
    const recovery: number[] = []
    const violations: string[] = []
    try {
      for (let round = 0; round < rounds; round++) {
        const found = await runRound(installation, chain, environment, round % 2 === 0 ? 'frozen' : 'cut off')
        recovery.push(found.ms)
        violations.push(...found.violations)
      }
    } finally {
      await installation.close()
      await node.close()
    }
    return { rounds, acknowledged: 0, refused: 0, unknown: 0, lost: 0, doubled: 0, recovery, figures: {}, violations }
  },
}
