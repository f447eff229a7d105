import { Check, CircleSlash, Clock, Octagon, Play, SkipForward, Stamp, type LucideIcon } from 'lucide-react'
import type { BulkItemState, BulkState } from '#contract/bulk.ts'
import type { BulkJob } from '#contract/schemas/bulk.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'

type Look = { label: string; tone: Tone; icon: LucideIcon }

export const itemLooks: Record<BulkItemState, Look> = {
  waiting: { label: 'Not done', tone: 'neutral', icon: Clock },
  done: { label: 'Done', tone: 'success', icon: Check },
  requested: { label: 'Sent for approval', tone: 'warning', icon: Stamp },
  skipped: { label: 'Skipped', tone: 'neutral', icon: SkipForward },
  failed: { label: 'Failed', tone: 'danger', icon: CircleSlash },
}

export const jobLooks: Record<BulkState, Look> = {
  prepared: { label: 'Not started', tone: 'neutral', icon: Clock },
  running: { label: 'Running', tone: 'info', icon: Play },
  stopped: { label: 'Stopped', tone: 'warning', icon: Octagon },
  done: { label: 'Finished', tone: 'success', icon: Check },
}

export const ItemBadge = ({ state }: { state: BulkItemState }) => {
  const { label, tone, icon } = itemLooks[state]
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  )
}

export const JobBadge = ({ state }: { state: BulkState }) => {
  const { label, tone, icon } = jobLooks[state]
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  )
}

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
