import { Check, CircleSlash, Clock, Octagon, Play, SkipForward, Stamp, type LucideIcon } from 'lucide-react'
import { type BulkItemState, bulkItemStateLabels, type BulkState, bulkStateLabels } from '#contract/bulk.ts'
import type { BulkJob } from '#contract/schemas/bulk.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'

type Look = { tone: Tone; icon: LucideIcon }

const itemLooks: Record<BulkItemState, Look> = {
  waiting: { tone: 'neutral', icon: Clock },
  done: { tone: 'success', icon: Check },
  requested: { tone: 'warning', icon: Stamp },
  skipped: { tone: 'neutral', icon: SkipForward },
  failed: { tone: 'danger', icon: CircleSlash },
}

const jobLooks: Record<BulkState, Look> = {
  prepared: { tone: 'neutral', icon: Clock },
  running: { tone: 'info', icon: Play },
  stopped: { tone: 'warning', icon: Octagon },
  done: { tone: 'success', icon: Check },
}

export const ItemBadge = ({ state }: { state: BulkItemState }) => (
  <Badge {...itemLooks[state]}>{bulkItemStateLabels[state]}</Badge>
)

export const JobBadge = ({ state }: { state: BulkState }) => (
  <Badge {...jobLooks[state]}>{bulkStateLabels[state]}</Badge>
)

/** Rows that have had their turn. */
export const countTaken = ({ total, counts }: BulkJob): number => total - counts.waiting

const stopSentences: Record<NonNullable<BulkJob['stopCause']>, (name: string, by: string) => string> = {
  operator: (_name, by) => `${by} stopped it. What is not done stays as it was.`,
  disabled: (name) => `It stopped because ${name} was disabled. What is not done stays as it was.`,
  permission: (name) => `It stopped because ${name} may not do this any more. What is not done stays as it was.`,
}

/** Why a job stopped, in a sentence. Null for one that did not. */
export const describeStop = ({ stopCause, createdBy, stoppedBy }: BulkJob): string | null =>
  stopCause && stopSentences[stopCause](createdBy, stoppedBy ?? 'An operator')
