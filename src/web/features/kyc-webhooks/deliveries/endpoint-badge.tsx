import { CircleCheck, CircleDashed, CirclePause, CircleX, Link2Off, PowerOff, type LucideIcon } from 'lucide-react'
import type { EndpointState } from '#contract/endpoints.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { stateWords } from './endpoint-words.ts'

const looks: Record<EndpointState, { tone: Tone; icon: LucideIcon }> = {
  healthy: { tone: 'success', icon: CircleCheck },
  failing: { tone: 'danger', icon: CircleX },
  paused: { tone: 'danger', icon: CirclePause },
  off: { tone: 'neutral', icon: PowerOff },
  unset: { tone: 'warning', icon: Link2Off },
  untried: { tone: 'info', icon: CircleDashed },
}

export const EndpointBadge = ({ state }: { state: EndpointState }) => (
  <Badge {...looks[state]}>{stateWords[state]}</Badge>
)
