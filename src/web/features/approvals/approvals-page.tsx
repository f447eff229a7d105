import { useQuery } from '@tanstack/react-query'
import { approvalActions, approvalDesigns, approvalStateLabels, approvalViews } from '#contract/approvals.ts'
import { cn } from '#web/lib/cn.ts'
import { approvalTabs } from '#web/paths.ts'
import { ChoiceFilter, useChoice } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { useListState } from '#web/table/list-state.ts'
import { useTab } from '#web/table/use-tab.ts'
import { Tabs } from '#web/ui/tabs.tsx'
import { useCan } from '#web/use-can.ts'
import { approvalColumns } from './columns.tsx'
import { approvalsQuery } from './queries.ts'
import { RulesTab } from './rules-tab.tsx'

const { open: waiting, ...closed } = approvalStateLabels
const closedStates = Object.entries(closed).map(([value, label]) => ({ value, label }))
const states = [...closedStates, { value: 'all', label: 'All States' }]
const stateValues = states.map(({ value }) => value)
const viewOptions = [
  { value: 'others', label: 'For me to decide' },
  { value: 'own', label: 'My requests' },
  { value: 'answered', label: 'Mine, not seen yet' },
]
/** Three filters do not fit on one line of a phone. */
const phoneWidth = 'max-phone:basis-36!'
const actionOptions = approvalActions.map((value) => ({ value, label: approvalDesigns[value].label }))

/** Requests for approval: those that wait, unless a filter asks for others. */
function RequestsTab() {
  const state = useListState(stateValues, ['view', 'action'])
  const view = useChoice('view', approvalViews)
  const action = useChoice('action', approvalActions)
  // None of these waits, so that no state is chosen means any.
  const isAnswered = view === 'answered'
  const requests = useQuery(approvalsQuery(state, view, action))
  return (
    <DataTable
      label="Requests for approval"
      entity="request"
      columns={approvalColumns}
      rows={requests.data?.approvals}
      rowId={(approval) => approval.id}
      query={requests}
      state={state}
      statuses={isAnswered ? closedStates : states}
      origin="What a rule lets a second operator approve appears here when it is requested."
      statusFilter={{ label: 'State filter', all: isAnswered ? 'All States' : waiting }}
      filters={
        <>
          <ChoiceFilter
            label="Whose requests"
            parameter="view"
            all="All Requests"
            options={viewOptions}
            width={cn('w-44', phoneWidth)}
          />
          <ChoiceFilter
            label="Action filter"
            parameter="action"
            all="All Actions"
            options={actionOptions}
            width={cn('w-48', phoneWidth)}
          />
        </>
      }
    />
  )
}

const requests = { value: 'requests' as const, label: 'Requests', panel: <RequestsTab /> }
const rules = { value: 'rules' as const, label: 'Rules', panel: <RulesTab /> }

/** Approvals (product 5.16): what waits for a second operator, and the rules that say what does. */
export default function ApprovalsPage() {
  const [tab, choose] = useTab(approvalTabs)
  const maySet = useCan('approvals.rules')
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[minmax(24rem,1fr)] page-scrolls:block print:block">
      <Tabs label="Approvals" tabs={maySet ? [requests, rules] : [requests]} value={tab} onChange={choose} fill />
    </div>
  )
}
