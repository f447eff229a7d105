import { useQuery } from '@tanstack/react-query'
import type { Viewer } from '#contract/schemas/users.ts'
import { formatCount } from '#web/lib/money.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { createColumns } from '#web/table/columns.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Section } from '#web/ui/section.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
import { viewersQuery } from './queries.ts'

const viewer = createColumns<Viewer>()

const columns = [
  viewer.accessor('username', {
    header: 'Operator',
    cell: ({ getValue }) => <TruncatedText>{getValue()}</TruncatedText>,
    meta: { min: '120px', narrow: 'full' },
  }),
  viewer.accessor('views', {
    header: 'Views',
    cell: ({ getValue }) => formatCount(getValue()),
    meta: { width: '64px', align: 'right', narrow: 'labelled' },
  }),
  viewer.accessor('lastAt', {
    header: 'Last viewed',
    cell: ({ getValue }) => <Instant value={getValue()} />,
    meta: { min: '140px', narrow: 'labelled' },
  }),
]

/** Which operators have opened the member (product 5.4). */
export function Viewers({ userId }: { userId: string }) {
  const query = useQuery(viewersQuery(userId))
  const { data, error } = query
  if (data)
    return (
      <Section title="Viewed by" count={String(data.viewers.length)}>
        <StaticTable
          label="Viewed by"
          columns={columns}
          rows={data.viewers}
          rowId={({ username }) => username}
          empty="No operator has opened this member within the last year."
        />
      </Section>
    )
  return (
    <Section title="Viewed by">
      {error ? (
        <LoadFailure what="Who viewed this member" query={query} className="rounded-l border" />
      ) : (
        <>
          <output className="sr-only">Loading...</output>
          <Skeleton className="h-20 w-full" />
        </>
      )}
    </Section>
  )
}
