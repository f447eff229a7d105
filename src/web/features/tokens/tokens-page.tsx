import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import type { Token } from '#contract/schemas/tokens.ts'
import { type TokenKind, tokenKinds } from '#contract/token-kinds.ts'
import { tokenKindLabels } from '#contract/tokens.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { formatCount } from '#web/lib/money.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { useCan } from '#web/use-can.ts'
import { ExportButton } from '#web/table/export-button.tsx'
import { StaticTable } from '#web/table/static-table.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { useSearchChange } from '#web/use-search-change.ts'
import { tokenColumns } from './columns.tsx'
import { tokensQuery } from './queries.ts'

/** The tokens of one kind. */
function TokenTable({ kind, query }: { kind: TokenKind; query: UseQueryResult<Token[]> }) {
  const columns = useMemo(() => tokenColumns(kind), [kind])
  const { data, error, isFetching, refetch } = query
  const label = tokenKindLabels[kind]
  if (error && !data) {
    return <LoadFailure what={label} query={{ error, isFetching, refetch }} />
  }
  return (
    <>
      <RefreshFailure what={label} query={query} className="mb-3" />
      <SwitchNote />
      <StaticTable
        label={label}
        columns={columns}
        rows={data ?? noTokens}
        rowId={(token) => token.id}
        empty={data ? 'No data available' : 'Loading...'}
      />
      {data?.length === 0 && (
        <p className="mt-3 text-center text-13 text-quiet">
          Tokens appear here once you add them or the platform sends them.
        </p>
      )}
    </>
  )
}

/** What a press on a switch becomes, since no dialog says it. */
function SwitchNote() {
  const need = useApprovalNeed('switch_token')
  return <ApprovalNote need={need} className="mb-3" />
}

const noTokens: Token[] = []

const AddTokenDialog = lazy(() => import('./add-token-dialog.tsx'))

/** Token Management (product 5.7): both kinds, switched on and off, and Add Token for the kind that is shown. */
export default function TokensPage() {
  const { tab: kind = 'earning', add } = useSearch({ from: '/tokens' })
  const changeSearch = useSearchChange()
  const mayAdd = useCan('tokens.manage')
  const queries = { earning: useQuery(tokensQuery('earning')), fractions: useQuery(tokensQuery('fractions')) }

  const show = (value: TokenKind) => changeSearch({ tab: value === 'earning' ? undefined : value })
  const setAdding = (isAdding: boolean) => changeSearch({ add: isAdding ? 'true' : undefined }, { replace: true })
  const all = queries.earning.data && queries.fractions.data && [...queries.earning.data, ...queries.fractions.data]
  const active = all?.filter((token) => token.isActive).length ?? 0
  const tabs = tokenKinds.map((value) => {
    const count = queries[value].data?.length
    return {
      value,
      label: tokenKindLabels[value],
      ...(count !== undefined && { count }),
      panel: <TokenTable key={value} kind={value} query={queries[value]} />,
    }
  })
  return (
    <div className="gutter max-w-table py-4">
      <div className="mb-1 flex min-h-(--control) flex-wrap items-center justify-between gap-3">
        <p className="text-13 text-quiet tabular-nums">
          {all && `${formatCount(active)} of ${formatCount(all.length)} tokens active`}
        </p>
        <span className="flex flex-wrap gap-2">
          <ExportButton name={`${kind}Tokens`} />
          {mayAdd && (
            <ChangeButton variant="primary" aria-haspopup="dialog" onClick={() => setAdding(true)}>
              <Plus aria-hidden />
              Add Token
            </ChangeButton>
          )}
        </span>
      </div>
      <Tabs label="Tokens" tabs={tabs} value={kind} onChange={show} />
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={() => setAdding(false)}>
        {mayAdd && add === 'true' && <AddTokenDialog kind={kind} onClose={() => setAdding(false)} />}
      </LazyBoundary>
    </div>
  )
}
