import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { approvalDesigns, approvalRoutes, approvalTexts } from '#contract/approvals.ts'
import { stepUpMinutes } from '#contract/factors.ts'
import type { ApprovalRule } from '#contract/schemas/approvals.ts'
import { type StepUpKind, stepUpKindLabels, stepUpKinds } from '#contract/step-up.ts'
import { call, describeError } from '#web/api.ts'
import { useChange } from '#web/changes/use-change.ts'
import { createColumns } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { StaticTable } from '#web/table/static-table.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { describeRule, findRuleGap, RuleGapNote } from './rule-gap.tsx'
import { refetchRules, rulesQuery } from './queries.ts'

interface StepUpRule {
  kind: StepUpKind
  isOn: boolean
}
const stepUpColumn = createColumns<StepUpRule>()

const stepUpColumns = [
  stepUpColumn.accessor('kind', {
    header: 'Changes',
    cell: ({ getValue }) => <span className="font-medium">{stepUpKindLabels[getValue()]}</span>,
    meta: { min: '180px', narrow: 'full' },
  }),
  stepUpColumn.accessor('isOn', {
    header: 'Recent Sign-in',
    cell: ({ getValue }) => (getValue() ? 'Required' : <MissingValue>Not required</MissingValue>),
    meta: { width: '168px', narrow: 'labelled' },
  }),
  stepUpColumn.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <RowActions>
        <Switch rule={original} />
      </RowActions>
    ),
    meta: { width: '112px', align: 'right', narrow: 'end' },
  }),
]

/** Which changes want a recent sign-in although the contract asks for none. */
const StepUpRules = ({ on }: { on: readonly StepUpKind[] }) => (
  <section className="mt-6">
    <h2 className="text-14 font-semibold">Confirming who you are</h2>
    <p className="mt-1 mb-3 max-w-200 text-13 text-pretty text-quiet">
      Changes of operators, factors, endpoints and rules always want a sign-in of the last {stepUpMinutes} minutes.
      These do where it is switched on.
    </p>
    <StaticTable
      label="Confirming who you are"
      columns={stepUpColumns}
      rows={stepUpKinds.map((kind) => ({ kind, isOn: on.includes(kind) }))}
      rowId={({ kind }) => kind}
      empty=""
    />
  </section>
)

function Switch({ rule }: { rule: StepUpRule }) {
  const { kind, isOn } = rule
  const change = useChange({
    entity: rule,
    send: () => call(approvalRoutes.saveStepUp, { params: { kind }, body: { isOn: !isOn } }),
    refetch: refetchRules,
    success: approvalTexts.stepUpSaved,
    describe: () => `${stepUpKindLabels[kind]}: ${isOn ? 'off' : 'on'}`,
    failure: (error) => describeError(error, 'Failed to switch it'),
  })
  const verb = isOn ? 'Switch Off' : 'Switch On'
  return (
    <ChangeButton
      size="small"
      loading={change.isPending}
      aria-label={`${verb}: ${stepUpKindLabels[kind]}`}
      onClick={change.apply}
    >
      {verb}
    </ChangeButton>
  )
}

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
    cell: ({ row: { original } }) => (
      <span className="block min-w-0 blocks:text-right">
        {original.isOn ? describeRule(original) : <MissingValue>{describeRule(original)}</MissingValue>}
        {original.changedAt !== null && (
          <span className="block truncate text-12 text-quiet" title={original.changedBy ?? undefined}>
            <Instant value={original.changedAt} /> by <bdi>{original.changedBy}</bdi>
          </span>
        )}
      </span>
    ),
    meta: { min: '168px', cut: true, narrow: 'labelled' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <RowActions>
        <ChangeButton
          size="small"
          aria-haspopup="dialog"
          aria-label={`Change Rule: ${approvalDesigns[original.action].label}`}
          onClick={() => onChange(original)}
        >
          Change Rule
        </ChangeButton>
      </RowActions>
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
  if (error && !data) return <LoadFailure size="page" what="The rules" query={query} />
  return (
    <div className="gutter h-full max-w-table overflow-y-auto py-4 page-scrolls:h-auto print:h-auto">
      <RefreshFailure what="The rules" query={query} className="mb-3" />
      <p className="mb-3 max-w-200 text-13 text-pretty text-quiet">
        A rule makes an action wait until a second operator approves it.{' '}
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
