import type { ImportLine } from '#contract/schemas/platform.ts'
import { treasury, type ChainHistory, type TokenTransfer } from '#demo/chain/build.ts'
import { makePlatform } from './history.ts'
import { Random } from './random.ts'
import { demoTokens } from './tokens.ts'

const day = 24 * 3_600_000
/** Before the first token was registered. */
const genesisAge = 440 * day

const outside = Array.from({ length: 5 }, (_, n) => `0x${new Random(9100 + n).hex(40)}`)

/** `12.5` in the token's smallest unit. */
function toUnits(amount: string, decimals: number): bigint {
  const [whole = '', rest = ''] = amount.split('.')
  return BigInt(whole + rest.padEnd(decimals, '0'))
}

/**
 * The history of the demo platform's chain: all its transfers except failed ones, which leave no trace. Deposits come from the
 * treasury, withdrawals go to unknown addresses, others to another member's wallet.
 */
export function makeChainHistory(instant: number): ChainHistory {
  const random = new Random(1337)
  const { lines } = makePlatform(instant)
  const tokens = new Map(demoTokens.map((token) => [token.address, token]))
  const transfers = lines
    .filter((line): line is ImportLine<'chainTransaction'> => line.type === 'chainTransaction')
    .filter(({ status }) => status !== 'failed')
    .toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
  const wallets = [...new Set(transfers.map(({ walletAddress }) => walletAddress))]
  const receiverOf = ({ transactionType, walletAddress }: ImportLine<'chainTransaction'>) => {
    if (transactionType === 'deposit') return walletAddress
    if (transactionType === 'withdrawal') return random.pick(outside)
    const own = wallets.indexOf(walletAddress)
    return wallets[(own + random.whole(1, wallets.length - 1)) % wallets.length]!
  }
  const moves = transfers.map((transfer): TokenTransfer => {
    const { symbol, decimals } = tokens.get(transfer.tokenAddress)!
    return {
      at: Date.parse(transfer.createdAt),
      token: symbol,
      from: transfer.transactionType === 'deposit' ? treasury : transfer.walletAddress,
      to: receiverOf(transfer),
      amount: toUnits(transfer.amount, decimals),
    }
  })
  // Senders keep some of the coin for fees.
  const senders = new Set(moves.map(({ from }) => from).filter((from) => from !== treasury))
  const coins = new Map([...senders].map((owner) => [owner, BigInt(random.whole(5, 900)) * 10n ** 14n]))
  return {
    genesis: Math.floor((instant - genesisAge) / 1000),
    tokens: demoTokens.map(({ projectName, symbol, decimals }) => ({ name: projectName, symbol, decimals })),
    moves,
    coins,
  }
}
