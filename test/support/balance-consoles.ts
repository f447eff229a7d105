import { afterAll } from 'vitest'
import { startFakeNode } from './fakes/chain-node.ts'
import { holdTimeouts } from './held-timeouts.ts'
import { startServer } from './server.ts'

/** Two fake nodes, a console that reads balances from the first, and one (`two`) that reads from both. `timeouts` ends calls. */
export async function startBalanceConsoles() {
  const timeouts = holdTimeouts()
  const [node, second] = [await startFakeNode(), await startFakeNode()]
  const server = await startServer({ BSC_RPC_URLS: node.url })
  const two = await startServer({ BSC_RPC_URLS: `${node.url} ${second.url}` })
  afterAll(async () => {
    await node.close()
    await second.close()
  })

  let wallets = 0
  /** A new one each time, so that no earlier answer is given again. */
  const newWallet = () => `0x${(++wallets).toString(16).padStart(40, '0')}`
  const readBalance = (of = server, wallet = newWallet()) => of.as('ada')('GET', `/api/wallet-balance/${wallet}`)
  return { timeouts, node, second, server, two, newWallet, readBalance }
}
