import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { tokenKinds, type TokenKind } from '#contract/token-kinds.ts'
import { tokenKindLabels } from '#contract/tokens.ts'
import { formatCount } from '#web/lib/money.ts'
import { useCan } from '#web/use-can.ts'
import { ExportButton } from '#web/table/export-button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { tokensQuery } from './queries.ts'
import { TokenTable } from './token-table.tsx'

const AddTokenDialog = lazy(() => import('./add-token-dialog.tsx'))

/** Token Management (product 5.7): both kinds, switched on and off, and Add Token for the kind that is shown. */
export default function TokensPage() {
  const { tab: kind = 'earning', add } = useSearch({ from: '/tokens' })
  const navigate = useNavigate()
  const mayAdd = useCan('tokens.manage')
  const queries = { earning: useQuery(tokensQuery('earning')), fractions: useQuery(tokensQuery('fractions')) }

  const show = (value: TokenKind) =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({ ...now, tab: value === 'earning' ? undefined : value }),
      resetScroll: false,
    })
  const setAdding = (isAdding: boolean) =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({ ...now, add: isAdding ? 'true' : undefined }),
      replace: true,
      resetScroll: false,
    })
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
