import { CircleCheck, CircleDashed, CircleDot, Clock, Info, type LucideIcon } from 'lucide-react'
import { bankLineStateLabels, type BankLineState } from '#contract/bank.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'

const looks: Record<BankLineState, { tone: Tone; icon: LucideIcon }> = {
  open: { tone: 'info', icon: CircleDot },
  part: { tone: 'warning', icon: CircleDashed },
  settled: { tone: 'success', icon: CircleCheck },
  pending: { tone: 'neutral', icon: Clock },
  info: { tone: 'neutral', icon: Info },
}

export const LineStateBadge = ({ state }: { state: BankLineState }) => (
  <Badge {...looks[state]}>{bankLineStateLabels[state]}</Badge>
)
