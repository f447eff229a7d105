import {
  ArrowLeftRight,
  ArrowUp,
  ArrowUpRight,
  Ban,
  CircleCheck,
  CircleDashed,
  CircleQuestionMark,
  Clock,
  ClockAlert,
  Copy,
  CornerDownLeft,
  Hourglass,
  Landmark,
  RotateCcw,
  Sparkle,
  Undo2,
  UserX,
  type LucideIcon,
} from 'lucide-react'
import { matchFlagLabels, matchOutcomeLabels, type MatchFlag, type MatchOutcome } from '#contract/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'

interface Look {
  tone: Tone
  icon: LucideIcon
}

const outcomeLooks: Record<MatchOutcome, Look> = {
  exact: { tone: 'success', icon: CircleCheck },
  partial: { tone: 'info', icon: CircleDashed },
  overpaid: { tone: 'warning', icon: ArrowUp },
  late: { tone: 'warning', icon: ClockAlert },
  duplicate: { tone: 'warning', icon: Copy },
  cancelled_order: { tone: 'warning', icon: Ban },
  wrong_currency: { tone: 'warning', icon: ArrowLeftRight },
  unmatched: { tone: 'neutral', icon: CircleQuestionMark },
  reversal: { tone: 'warning', icon: RotateCcw },
  refund: { tone: 'info', icon: Undo2 },
  outgoing: { tone: 'neutral', icon: ArrowUpRight },
  return: { tone: 'warning', icon: CornerDownLeft },
  pending: { tone: 'neutral', icon: Clock },
}
const flagLooks: Record<MatchFlag, Look> = {
  third_party: { tone: 'warning', icon: UserX },
  payer_unsure: { tone: 'warning', icon: CircleQuestionMark },
  other_account: { tone: 'warning', icon: Landmark },
}

export const FlagBadge = ({ flag }: { flag: MatchFlag }) => <Badge {...flagLooks[flag]}>{matchFlagLabels[flag]}</Badge>

export const ExactBadge = () => <Badge {...outcomeLooks.exact}>{matchOutcomeLabels.exact}</Badge>

export const LikelyBadge = () => (
  <Badge tone="info" icon={Sparkle}>
    Likely
  </Badge>
)

/**
 * What a line is in a word: its gravest flag, else its outcome. What fits but is not allowed to be applied with others is likely,
 * and a line that has just come is new.
 */
export function OutcomeBadge({ line: { flags, outcome, suggestion } }: { line: BankLine }) {
  const [flag] = flags
  if (flag) return <FlagBadge flag={flag} />
  if (outcome === null)
    return (
      <Badge tone="neutral" icon={Hourglass}>
        New
      </Badge>
    )
  if (outcome === 'exact' && suggestion !== 'exact') return <LikelyBadge />
  return <Badge {...outcomeLooks[outcome]}>{matchOutcomeLabels[outcome]}</Badge>
}
