import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type ActivityKind, activityKindNames, activityPage, maxActivityPage } from '#contract/activity.ts'
import { exportRoutes } from '#contract/exports.ts'
import type { Activity as ActivityData } from '#contract/schemas/activity.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useCan, useCanCall } from '#web/use-can.ts'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { Entry } from './entry.tsx'
import { NoteForm } from './note-form.tsx'
import { NoteText } from './note-text.tsx'
import { activityQuery, type ActivityPlace, type Subject } from './queries.ts'
import { kindLabels } from './words.ts'

const options = [
  { value: '', label: 'All kinds' },
  ...activityKindNames.map((value) => ({ value, label: kindLabels[value] })),
]
const nextLimit = (limit: number) => Math.min(limit * 3, maxActivityPage)

/** What happened to a member or an order, newest first, with notes (product 5.17). */
export function Activity({ subject, className }: { subject: Subject; className?: string }) {
  const [place, setPlace] = useState<ActivityPlace>({})
  const query = useQuery(activityQuery(subject, place))
  const canWrite = useCan('notes.write')
  const canExport = useCanCall(exportRoutes.notes)
  const { data, error } = query
  const choose = (kind: string) => setPlace({ kind: activityKindNames.find((each) => each === kind) })
  return (
    <section aria-label="Activity" className={cn('@container', className)}>
      <div className="mb-2 flex min-h-8 flex-wrap items-center gap-2">
        <h2>Activity</h2>
        {data && <span className="text-13 text-quiet tabular-nums">{formatCount(data.total)}</span>}
        {place.kind === 'notes' && canExport && (
          <ExportButton
            size="small"
            name="notes"
            query={subject.type === 'user' ? { userId: subject.id } : { orderId: subject.id }}
          />
        )}
        <Select
          aria-label="Kind of activity"
          options={options}
          value={place.kind ?? ''}
          onChange={({ target }) => choose(target.value)}
          className="ml-auto w-40 max-w-full"
        />
      </div>
      {canWrite && <NoteForm subject={subject} />}
      {data ? (
        <>
          <RefreshFailure what="The activity" query={query} className="mb-3" />
          <Pinned data={data} />
          <Entries data={data} subject={subject} isOld={query.isPlaceholderData} kind={place.kind} />
          <Older data={data} place={place} isLoading={query.isFetching} onChange={setPlace} />
        </>
      ) : error ? (
        <LoadFailure what="The activity" query={query} />
      ) : (
        <ActivitySkeleton />
      )}
    </section>
  )
}

/** Notes that are to be read first. */
function Pinned({ data: { pinned } }: { data: ActivityData }) {
  if (pinned.length === 0) return null
  return (
    <ul aria-label="Pinned notes" className="mb-4 grid gap-2">
      {pinned.map((note) => (
        <li key={note.id} className="text-12 text-quiet">
          <NoteText note={note} hasHead />
        </li>
      ))}
    </ul>
  )
}

interface EntriesProps {
  data: ActivityData
  subject: Subject
  isOld: boolean
  kind: ActivityKind | undefined
}

function Entries({ data: { entries }, subject, isOld, kind }: EntriesProps) {
  if (entries.length === 0)
    return <Quiet>{kind ? `Nothing of this kind: ${kindLabels[kind]}.` : 'Nothing has happened yet.'}</Quiet>
  return (
    <ol
      aria-label="Entries, newest first"
      aria-busy={isOld || undefined}
      className={cn('transition-opacity', isOld && 'opacity-55 delay-100')}
    >
      {entries.map((entry, at) => (
        <Entry
          key={entry.id}
          entry={entry}
          isLast={at === entries.length - 1}
          isOrderKnown={subject.type === 'order'}
        />
      ))}
    </ol>
  )
}

const Quiet = ({ children }: { children: ReactNode }) => <p className="py-3 text-13 text-quiet">{children}</p>

interface OlderProps {
  data: ActivityData
  place: ActivityPlace
  isLoading: boolean
  onChange: (place: ActivityPlace) => void
}

/** More entries below the shown ones; beyond the most that one page has, the next page from there on. */
function Older({ data: { next }, place, isLoading, onChange }: OlderProps) {
  const { limit = activityPage, before } = place
  const showOlder = () =>
    onChange(limit < maxActivityPage ? { ...place, limit: nextLimit(limit) } : { ...place, before: next ?? undefined })
  if (next === null && before === undefined) return null
  return (
    <div className="flex gap-2 pl-10">
      {next !== null && (
        <Button size="small" loading={isLoading} onClick={showOlder}>
          Show Older
        </Button>
      )}
      {before !== undefined && (
        <Button size="small" onClick={() => onChange({ kind: place.kind })}>
          Back to the Newest
        </Button>
      )}
    </div>
  )
}

const ActivitySkeleton = () => (
  <div>
    <output className="sr-only">Loading...</output>
    <div aria-hidden>
      {['w-52', 'w-64', 'w-44', 'w-60', 'w-48'].map((width) => (
        <div key={width} className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3 pb-4">
          <Skeleton className="size-7 rounded-full!" />
          <span className="grid gap-1.5 pt-1.5">
            <Skeleton className={`h-3.5 max-w-full ${width}`} />
            <Skeleton className="h-3 w-28" />
          </span>
        </div>
      ))}
    </div>
  </div>
)
