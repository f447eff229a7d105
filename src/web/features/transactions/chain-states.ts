import { Check, CircleAlert, CircleOff, Clock, OctagonX, RefreshCw } from 'lucide-react'
import { type IndexerState, mostBackfilling, type NodeProblem } from '#contract/chain.ts'
import type { ChainHealth } from '#contract/schemas/chain.ts'
import { localizeInstants } from '#web/lib/dates.ts'
import { formatCount } from '#web/lib/money.ts'
import type { ChipState } from '#web/ui/state-chip.tsx'

const looks: Record<IndexerState, ChipState> = {
  off: { tone: 'neutral', icon: CircleOff, label: 'Chain not indexed' },
  starting: { tone: 'info', icon: Clock, label: 'Chain starting' },
  ok: { tone: 'success', icon: Check, label: 'Chain up to date' },
  behind: { tone: 'warning', icon: RefreshCw, label: 'Chain catching up' },
  retrying: { tone: 'warning', icon: RefreshCw, label: 'Chain trying again' },
  stalled: { tone: 'danger', icon: CircleAlert, label: 'Chain stalled' },
  halted: { tone: 'danger', icon: OctagonX, label: 'Chain halted' },
}

export const getStateLook = ({ mode, indexer }: ChainHealth): ChipState =>
  mode === 'off' ? { tone: 'neutral', icon: CircleOff, label: 'Chain off' } : looks[indexer]

/** Advice for the operator. Undefined while all is well. `isBad` means that somebody has to act. */
export function getAdvice(health: ChainHealth): { isBad: boolean; text: string } | undefined {
  const { mode, indexer, backfilling, pendingAboveHead, headBlock } = health
  const problem = health.problem ? `${localizeInstants(health.problem).replace(/\.$/, '')}. ` : ''
  if (mode === 'off')
    return buildInfo('Balances can’t be read and no transfers come in by themselves. To change that, set BSC_RPC_URLS.')
  if (indexer === 'off') return buildInfo('Balances are read, transfers are not. To read them, start with INDEXER=on.')
  if (indexer === 'starting')
    return buildInfo(`${problem}${problem ? 'It is tried again by itself.' : 'The first blocks are about to be read.'}`)
  if (indexer === 'behind')
    return buildInfo(`${problem}The newest transfers are not here yet; they come in by themselves.`)
  if (indexer === 'retrying')
    return buildInfo(`${problem}It is tried again by itself; after two minutes this is a stall.`)
  if (indexer === 'stalled')
    return buildProblem(
      `${problem}Transfers since then are missing here and come in by themselves once a node has new blocks. Check the nodes, and BSC_LOGS_RPC_URLS.`,
    )
  if (indexer === 'halted')
    return buildProblem(
      `${problem}Nothing more is read, and nothing was deleted. Compare the nodes with a block explorer, then follow “When reading the chain has halted” in docs/operating.md.`,
    )
  if (pendingAboveHead > 0 && headBlock !== null)
    return buildInfo(
      `The chain ends at block ${formatCount(headBlock)}, which is lower than it was seen before. ${pendingAboveHead === 1 ? '1 transfer above it stays' : `${formatCount(pendingAboveHead)} transfers above it stay`} pending until the chain is that long again.`,
    )
  if (backfilling > 0) {
    const count = formatCount(Math.min(backfilling, mostBackfilling))
    const addresses = backfilling === 1 ? 'wallet or token is' : 'wallets and tokens are'
    return buildInfo(
      `${problem}Earlier transfers of ${backfilling > mostBackfilling ? 'more than ' : ''}${count} newly registered ${addresses} still being read.`,
    )
  }
  return undefined
}

/** The problem of a node in a few words. */
export const nodeProblemTexts: Record<NodeProblem, string> = {
  unavailable: 'cannot be reached',
  busy: 'limits our requests',
  method_missing: 'does not offer a method that is needed',
  batch_refused: 'takes no batches of calls',
  refused: 'refuses our requests',
  timeout: 'does not answer in time',
  bad_response: 'gives answers that cannot be read, or is behind',
  wrong_network: 'serves another chain',
  stands_still: 'stands still: it has no new blocks',
  logs_refused: 'refuses logs, even of a single block',
}

const buildInfo = (text: string) => ({ isBad: false, text })
const buildProblem = (text: string) => ({ isBad: true, text })

const durationUnits = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const

/** A duration in the largest unit of which there are at least two: `7 s`, `119 s`, `2 min`, `47 h`. */
export function formatDuration(duration: number): string {
  const [size, unit] = durationUnits.find(([each]) => duration >= 2 * each) ?? [1, 's']
  return `${formatCount(Math.floor(duration / size))} ${unit}`
}

/** "15 blocks, 7 s behind"; null while it is not known. */
export function formatLag({ lagBlocks, lagSeconds }: ChainHealth): string | null {
  if (lagBlocks === null) return null
  if (lagBlocks === 0) return 'at the head'
  const blocks = `${formatCount(lagBlocks)} ${lagBlocks === 1 ? 'block' : 'blocks'}`
  return `${blocks}${lagSeconds === null ? '' : `, ${formatDuration(lagSeconds)}`} behind`
}
