import type { ImportLine } from '#contract/schemas/platform.ts'
import type { DemoPlatform } from './history.ts'
import { Random } from './random.ts'

const day = 24 * 3_600_000
const banCount = 18
/** The time between two bans. */
const rhythm = 4 * day

const banReasons = [
  'Chargeback fraud reported by the card issuer.',
  'Forged identity document.',
  'Two accounts of one person.',
  'Account access shared with third parties.',
  'Match on a sanctions list, confirmed by compliance.',
  'Abuse of the referral programme.',
  'Deposits from accounts of other people, after two warnings.',
  'Threats against support staff.',
]

export interface DemoDecisions {
  /** Oldest first. */
  bans: { memberId: string; reason: string; at: string }[]
  /** Rejected members who may submit again. */
  resets: string[]
}

/**
 * Chooses the members whom an operator has banned, each in the weeks before `instant` and after the member's last activity in
 * `lines` and `attempts`, because a banned member does nothing more. Also chooses members whose KYC is reset.
 */
export function makeDecisions(
  { people, attempts }: Pick<DemoPlatform, 'people' | 'attempts'>,
  lines: readonly ImportLine[],
  instant: number,
): DemoDecisions {
  const random = new Random(1811)
  const active = findLastActivity(attempts, lines)
  const candidates = random.shuffled(people.filter(({ stage }) => stage === 'approved' || stage === 'rejected'))
  const bans: DemoDecisions['bans'] = []
  for (let n = banCount; n > 0; n--) {
    const at = Math.round(instant - (n - random.between(0.1, 0.9)) * rhythm)
    const index = candidates.findIndex(({ id }) => (active.get(id) ?? 0) < at)
    const [person] = index < 0 ? [] : candidates.splice(index, 1)
    const reason = banReasons[n % banReasons.length]!
    if (person) bans.push({ memberId: person.id, reason, at: new Date(at).toISOString() })
  }
  const rejected = candidates.filter(({ stage }) => stage === 'rejected')
  return { bans, resets: rejected.slice(0, 8).map(({ id }) => id) }
}

function findLastActivity(attempts: DemoPlatform['attempts'], lines: readonly ImportLine[]): Map<string, number> {
  const last = new Map<string, number>()
  const saw = (memberId: string | undefined, ...instants: (string | number | null | undefined)[]) => {
    if (memberId === undefined) return
    const times = instants.map((each) => (each ? new Date(each).getTime() : 0))
    last.set(memberId, Math.max(last.get(memberId) ?? 0, ...times))
  }
  const owners = new Map(lines.flatMap((line) => (line.type === 'wallet' ? [[line.address, line.memberId]] : [])))
  for (const { person, submittedAt, decision } of attempts) saw(person.id, submittedAt, decision?.decidedAt)
  for (const line of lines) {
    if (line.type === 'member') saw(line.id, line.createdAt)
    else if (line.type === 'chainTransaction') saw(owners.get(line.walletAddress), line.createdAt)
    else if (line.type === 'fraction') saw(line.memberId, line.receivedAt)
    else if (line.type === 'order') saw(line.memberId, line.createdAt, line.paidAt, line.completedAt)
    else if (line.type === 'wallet' || line.type === 'transaction') saw(line.memberId, line.createdAt)
  }
  return last
}
