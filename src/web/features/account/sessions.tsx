import { useQuery, useQueryClient } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { AccountSession } from '#contract/schemas/account-security.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { readAccount, sessionsQuery } from './queries.ts'
import { sessionColumns } from './session-columns.tsx'

const EndSessionDialog = lazy(() => import('./end-session-dialog.tsx'))

/** Where the admin is signed in, with the means to end all but this session. */
export function Sessions() {
  const query = useQuery(sessionsQuery())
  const { data, error } = query
  const [ending, setEnding] = useState<AccountSession | 'others' | null>(null)
  const username = readAccount(useQueryClient())?.admin.username ?? ''
  const columns = useMemo(() => sessionColumns(username, setEnding), [username])
  const close = () => setEnding(null)
  usePrefetch(data !== undefined, EndSessionDialog)
  if (!data)
    return error ? (
      <LoadFailure what="The sessions" query={query} className="rounded-l border bg-card" />
    ) : (
      <output aria-label="Loading..." className="block">
        <Skeleton className="block h-24 w-full" />
      </output>
    )
  const others = data.sessions.filter(({ isCurrent }) => !isCurrent).length
  return (
    <>
      <RefreshFailure what="The sessions" query={query} className="mb-3" />
      <StaticTable label="Your sessions" columns={columns} rows={data.sessions} rowId={({ id }) => id} />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3 text-13 text-quiet">
        <span>
          {others === 0
            ? 'You are signed in nowhere else.'
            : 'You do not know one of them? End it, and change your password.'}
        </span>
        {others > 0 && (
          <ChangeButton variant="danger" aria-haspopup="dialog" onClick={() => setEnding('others')}>
            <LogOut aria-hidden />
            End All Others
          </ChangeButton>
        )}
      </div>
      <LazyBoundary fallback={null} onFailure={close}>
        {ending && <EndSessionDialog ending={ending} others={others} onClose={close} />}
      </LazyBoundary>
    </>
  )
}
