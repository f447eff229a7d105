import { afterAll } from 'vitest'
import { startFakeNode } from './fakes/chain-node.ts'
import { startServer } from './server.ts'

/** The time limits of a node and of a whole reading, short for the tests. */
export const timing = { BSC_RPC_TIMEOUT_MS: '900', BSC_RPC_DEADLINE_MS: '2000' }

/** Two fake nodes, a console that reads balances from the first, and one (`two`) that reads from both. */
export async function startBalanceConsoles() {
  const [node, second] = [await startFakeNode(), await startFakeNode()]
  const server = await startServer({ BSC_RPC_URLS: node.url, ...timing })
  const two = await startServer({ BSC_RPC_URLS: `${node.url} ${second.url}`, ...timing })
  afterAll(async () => {
    await node.close()
    await second.close()
  })

  let wallets = 0
  /** A new one each time, so that no earlier answer is given again. */
  const newWallet = () => `0x${(++wallets).toString(16).padStart(40, '0')}`
  const readBalance = (of = server, wallet = newWallet()) => of.as('ada')('GET', `/api/wallet-balance/${wallet}`)
  return { node, second, server, two, newWallet, readBalance }
}
