import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { approvalDesigns } from '#contract/approvals.ts'
import type { ApprovalRule } from '#contract/schemas/approvals.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { describeRule } from './describe-rule.ts'
import { rulesQuery } from './queries.ts'
import { findRuleGap, RuleGapNote } from './rule-gap.tsx'
import { StepUpRules } from './step-up-rules.tsx'

const RuleDialog = lazy(() => import('./rule-dialog.tsx'))
const column = createColumns<ApprovalRule>()
const noRules: ApprovalRule[] = []

const ruleColumns = (onChange: (rule: ApprovalRule) => void) => [
  column.accessor('action', {
    header: 'Action',
    cell: ({ getValue }) => <span className="font-medium">{approvalDesigns[getValue()].label}</span>,
    meta: { min: '180px', narrow: 'full' },
  }),
  column.accessor('isOn', {
    header: 'Approval',
    cell: ({ row: { original } }) =>
      original.isOn ? describeRule(original) : <MissingValue>{describeRule(original)}</MissingValue>,
    meta: { min: '168px', narrow: 'labelled' },
  }),
  column.accessor('changedAt', {
    header: 'Changed',
    cell: ({ row: { original } }) =>
      original.changedAt === null ? (
        <MissingValue>Never</MissingValue>
      ) : (
        <span className="block min-w-0 leading-4.5 text-quiet blocks:text-right">
          <Instant value={original.changedAt} />
          <span className="block truncate text-12" title={original.changedBy ?? undefined}>
            by <bdi>{original.changedBy}</bdi>
          </span>
        </span>
      ),
    meta: { width: instantWidth(960), cut: true, hideBelow: 740, narrow: 'labelled' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <ChangeButton
        size="small"
        aria-haspopup="dialog"
        aria-label={`Change Rule: ${approvalDesigns[original.action].label}`}
        onClick={() => onChange(original)}
      >
        Change Rule
      </ChangeButton>
    ),
    meta: { width: '112px', align: 'right', narrow: 'end' },
  }),
]

/** Which actions need a second operator. */
export function RulesTab() {
  const query = useQuery(rulesQuery())
  const { data, error } = query
  const [changing, setChanging] = useState<ApprovalRule | null>(null)
  const columns = useMemo(() => ruleColumns(setChanging), [])
  const gap = findRuleGap(data?.rules ?? noRules)
  if (error && !data) return <LoadFailure what="The rules" query={query} />
  return (
    <div className="gutter h-full max-w-table overflow-y-auto py-4 page-scrolls:h-auto print:h-auto">
      <RefreshFailure what="The rules" query={query} className="mb-3" />
      <p className="mb-3 max-w-180 text-13 text-quiet">
        With a rule an action changes nothing until a second operator, who may do it too, has approved it.{' '}
        {data && `A request that nobody decides expires after ${data.expiryHours} hours.`}
      </p>
      {gap && <RuleGapNote key={`${gap.looser.action} ${gap.looser.version}`} gap={gap} />}
      <StaticTable
        label="Approval rules"
        columns={columns}
        rows={data?.rules ?? noRules}
        rowId={(rule) => rule.action}
        empty="Loading..."
      />
      {data && <StepUpRules on={data.stepUp} />}
      <LazyBoundary fallback={null} onFailure={() => setChanging(null)}>
        {changing && <RuleDialog rule={changing} onClose={() => setChanging(null)} />}
      </LazyBoundary>
    </div>
  )
}
