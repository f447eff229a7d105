import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TokenKind } from '#contract/token-kinds.ts'
import { tokenKindLabels } from '#contract/tokens.ts'
import type { Token } from '#contract/schemas/tokens.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { StaticTable } from '#web/table/static-table.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { tokenColumns } from './columns.tsx'

/** The tokens of one kind. */
export function TokenTable({ kind, query }: { kind: TokenKind; query: UseQueryResult<Token[]> }) {
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
