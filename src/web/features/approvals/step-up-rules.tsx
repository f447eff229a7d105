import { approvalRoutes, approvalTexts } from '#contract/approvals.ts'
import { stepUpMinutes } from '#contract/factors.ts'
import { type StepUpKind, stepUpKindLabels, stepUpKinds } from '#contract/step-up.ts'
import { call, describeError } from '#web/api.ts'
import { useChange } from '#web/changes/use-change.ts'
import { createColumns } from '#web/table/columns.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { refetchRules } from './queries.ts'

interface StepUpRule {
  kind: StepUpKind
  isOn: boolean
}
const column = createColumns<StepUpRule>()

const columns = [
  column.accessor('kind', {
    header: 'Changes',
    cell: ({ getValue }) => <span className="font-medium">{stepUpKindLabels[getValue()]}</span>,
    meta: { min: '180px', narrow: 'full' },
  }),
  column.accessor('isOn', {
    header: 'Recent Sign-in',
    cell: ({ getValue }) => (getValue() ? 'Required' : <MissingValue>Not required</MissingValue>),
    meta: { width: '168px', narrow: 'labelled' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => <Switch rule={original} />,
    meta: { width: '112px', align: 'right', narrow: 'end' },
  }),
]

/** Which changes want a recent sign-in although the contract asks for none. */
export const StepUpRules = ({ on }: { on: readonly StepUpKind[] }) => (
  <section className="mt-6">
    <h2 className="text-14 font-semibold">Confirming who you are</h2>
    <p className="mt-1 mb-3 max-w-180 text-13 text-quiet">
      Changes of operators, factors, endpoints and rules always want a sign-in of the last {stepUpMinutes} minutes.
      These do where it is switched on.
    </p>
    <StaticTable
      label="Confirming who you are"
      columns={columns}
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
