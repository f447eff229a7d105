import type { ImportLine } from '#contract/schemas/platform.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { demoTokens, type DemoToken } from './tokens.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** The chain stores whole seconds. */
const iso = (time: number) => new Date(Math.floor(time / 1000) * 1000).toISOString()

const fractionsTokens = demoTokens.filter(({ kind }) => kind === 'fractions')
const earningTokens = demoTokens.filter(({ kind }) => kind === 'earning')
/** The token of the Loyalty Programme. */
const bonus = earningTokens.at(-1)!

/** The decimals of amounts, at most those of the token. */
const countDecimals = ({ decimals }: DemoToken) => Math.min(decimals, 6)

/** `units` of 10^-places as a decimal number. */
function formatAmount(units: number, places: number): string {
  const digits = String(units).padStart(places + 1, '0')
  const rest = digits.slice(digits.length - places).replace(/0+$/, '')
  return places === 0 || rest === '' ? digits.slice(0, digits.length - places) : `${digits.slice(0, -places)}.${rest}`
}

type Transfer = ImportLine<'chainTransaction'>
type TransferDesign = Pick<Transfer, 'transactionType' | 'walletAddress'> & {
  token: DemoToken
  units: number
  time: number
}

function makeTransfer(random: Random, instant: number, move: TransferDesign): Transfer {
  const { transactionType, walletAddress, token, units, time } = move
  return {
    type: 'chainTransaction',
    transactionHash: `0x${random.hex(64)}`,
    logIndex: random.whole(0, 180),
    transactionType,
    status: instant - time < 2 * day && random.chance(0.5) ? 'pending' : random.chance(0.96) ? 'completed' : 'failed',
    walletAddress,
    tokenAddress: token.address,
    tokenSymbol: token.symbol,
    projectName: token.projectName,
    amount: formatAmount(units, countDecimals(token)),
    createdAt: iso(time),
  }
}

/**
 * The transfers of one wallet, oldest first: fractions arrive, some leave or go to another member, and projects pay earnings to
 * holders. Nobody sends more than they have.
 */
export function makeTransfers(
  random: Random,
  person: Person,
  walletAddress: string,
  from: number,
  instant: number,
): ImportLine[] {
  const count = random.pick([0, 0, 0, 1, 1, 3])
  const times = Array.from({ length: count }, () => from + (instant - from) * random.between(0.02, 0.995))
  const held = new Map<DemoToken, number>()
  const lines = times
    .toSorted((one, other) => one - other)
    .flatMap((time): ImportLine[] => {
      const kind = random.pick(['deposit', 'deposit', 'withdrawal', 'other'] as const)
      if (kind !== 'deposit' && held.size > 0) {
        const [token, most] = random.pick([...held])
        const part = Math.floor(most * random.between(0.1, 0.9))
        const transfer = makeTransfer(random, instant, {
          transactionType: kind,
          walletAddress,
          token,
          units: part,
          time,
        })
        if (transfer.status !== 'failed') held.set(token, most - part)
        if (part > 0) return [transfer]
      }
      const bought = random.pick(fractionsTokens.filter(({ age }) => instant - time < age * day))
      const units = random.whole(1, 2400 * 10 ** countDecimals(bought))
      const move = { walletAddress, token: bought, units, time }
      const transfer = makeTransfer(random, instant, { ...move, transactionType: 'deposit' })
      if (transfer.status === 'failed') return [transfer]
      held.set(bought, (held.get(bought) ?? 0) + units)
      return random.chance(0.4)
        ? [transfer]
        : [transfer, makeFraction(random, person, bought, Math.min(time + 4 * minute, instant))]
    })
  return [...lines, ...[...held.keys()].flatMap((token) => makePayOut(random, token, lines, instant))]
}

const makeFraction = (random: Random, person: Person, token: DemoToken, time: number): ImportLine<'fraction'> => ({
  type: 'fraction',
  id: `f-${random.hex(10)}`,
  memberId: person.id,
  projectName: token.projectName,
  tokenAddress: token.address,
  amount: token.decimals === 0 ? `${random.whole(1, 60)}` : `${random.whole(1, 60)}.${random.pick([0, 25, 5, 75])}`,
  receivedAt: iso(time),
})

/** Sometimes pays earnings of a held token's project, or a loyalty bonus. */
function makePayOut(random: Random, held: DemoToken, lines: readonly ImportLine[], instant: number): Transfer[] {
  const first = lines.filter(isTransfer).find(({ tokenAddress }) => tokenAddress === held.address)
  if (!first || !random.chance(0.4)) return []
  const ofProject = earningTokens.find(({ projectName }) => projectName === held.projectName)!
  const token = random.chance(0.8) ? ofProject : bonus
  const since = Math.max(Date.parse(first.createdAt), instant - token.age * day)
  const time = since + (instant - since) * random.between(0.05, 0.98)
  return [makeBonus(random, instant, first.walletAddress, token, time)]
}

function makeBonus(random: Random, instant: number, walletAddress: string, token: DemoToken, time: number): Transfer {
  const one = 10 ** countDecimals(token)
  const units = random.whole(one / 100, 80 * one)
  return makeTransfer(random, instant, { transactionType: 'deposit', walletAddress, token, units, time })
}

const isTransfer = (line: ImportLine): line is Transfer => line.type === 'chainTransaction'

/** Bonuses of the last hours, the newest from this minute, so that today has some. */
export function makeLatestTransfers(random: Random, lines: readonly ImportLine[], instant: number): Transfer[] {
  const done = lines.filter(isTransfer).filter(({ status }) => status !== 'failed')
  const holders = [...new Set(done.map(({ walletAddress }) => walletAddress))]
  return Array.from({ length: 9 }, (_, n) =>
    makeBonus(random, instant, random.pick(holders), bonus, instant - (minute * 1.9 ** n) / 2),
  )
}
