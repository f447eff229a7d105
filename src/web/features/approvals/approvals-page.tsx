import { approvalRoutes, approvalStateLabels } from '#contract/approvals.ts'
import { approvalList } from '#contract/lists.ts'
import { approvalTabs } from '#web/paths.ts'
import { ChoiceFilter, useChoice } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { useList } from '#web/table/use-list.ts'
import { useTab } from '#web/table/use-tab.ts'
import { Tabs } from '#web/ui/tabs.tsx'
import { useCan } from '#web/use-can.ts'
import { approvalColumns } from './columns.tsx'
import { RulesTab } from './rules-tab.tsx'

const { open: waiting, ...closed } = approvalStateLabels
const closedStates = Object.entries(closed).map(([value, label]) => ({ value, label }))

/** Requests for approval: those that wait, unless a filter asks for others. */
function RequestsTab() {
  const isAll = useChoice('status', ['all']) !== undefined
  const list = useList(approvalList, approvalRoutes.list, {
    // None of the answered ones waits, so that no state is chosen means any.
    adjust: ({ state, view }) => ({ state: isAll || view === 'answered' ? state : (state ?? 'open') }),
    parameters: ['status'],
    // What is over its time changes without an event.
    staleTime: 0,
  })
  const isAnswered = list.values.view === 'answered'
  return (
    <DataTable
      label="Requests for approval"
      entity="request"
      columns={approvalColumns}
      rows={list.query.data?.approvals}
      rowId={(approval) => approval.id}
      list={list}
      origin="Nothing to approve. Requests appear here when a rule asks for a second operator."
      filters={
        <ChoiceFilter
          label="State filter"
          parameter="status"
          all={isAnswered ? 'All States' : waiting}
          options={isAnswered ? closedStates : [...closedStates, { value: 'all', label: 'All States' }]}
        />
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
