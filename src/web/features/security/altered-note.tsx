import { useQuery } from '@tanstack/react-query'
import type { Integrity } from '#contract/schemas/security.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { Instant } from '#web/ui/instant.tsx'
import { Note } from '#web/ui/note.tsx'
import { countEntries, findFirstShown } from './fault-words.ts'
import { integrityQuery } from './queries.ts'

export const noteLink = 'font-medium underline underline-offset-3'

interface LogHeadProps {
  /** The row that the list begins with. */
  upTo: string | undefined
  /** Only marked rows are listed. */
  isAltered: boolean
}

/** What the last verification found in the log, with the way to it, and that the list begins below the newest row. */
export function LogHead({ upTo, isAltered }: LogHeadProps) {
  const { data } = useQuery(integrityQuery())
  const found = data?.verification
  const isBad = found !== null && found !== undefined && found.badEntries > 0
  if (!isBad && upTo === undefined && !isAltered) return null
  return (
    <div className="gutter grid max-w-table gap-2 pt-3 text-13">
      {isBad && <Altered {...found} />}
      {(upTo !== undefined || isAltered) && (
        <p className="flex flex-wrap gap-x-3 gap-y-1 text-quiet">
          {isAltered ? 'Only marked rows are listed.' : `The list begins with row ${upTo}, no matter who acted.`}
          <Link {...paths.security({ tab: 'actions' })} className="text-ink underline underline-offset-3">
            Show all from the newest on
          </Link>
        </p>
      )}
    </div>
  )
}

function Altered({ at, faults, badEntries }: NonNullable<Integrity['verification']>) {
  const first = findFirstShown(faults)
  const shown = new Set(faults.flatMap(({ shownAt }) => shownAt ?? [])).size
  return (
    <Note tone="danger">
      <span className="flex flex-wrap gap-x-3 gap-y-1">
        <span>
          {countEntries(badEntries)} {badEntries === 1 ? 'is' : 'are'} not what was sealed, as verified{' '}
          <Instant value={at} />. {first === undefined ? 'No row is left that could show it.' : 'The rows are marked.'}
        </span>
        {first !== undefined && (
          <Link {...paths.security({ tab: 'actions', upTo: first })} className={noteLink}>
            Show the first
          </Link>
        )}
        {shown > 1 && (
          <Link {...paths.security({ tab: 'actions', altered: 'true' })} className={noteLink}>
            Show all {formatCount(shown)} marked rows
          </Link>
        )}
      </span>
    </Note>
  )
}
