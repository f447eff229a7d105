import type { RowData } from '@tanstack/react-table'
import { Check, Clock } from 'lucide-react'
import { useMemo } from 'react'
import { kycSteps } from '#contract/kyc.ts'
import type { MemberDetail } from '#contract/schemas/members.ts'
import { cn } from '#web/lib/cn.ts'
import type { Column } from '#web/table/columns.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { step2Columns, step3Columns, step4Columns, submissionColumns } from './history-columns.tsx'
import { Quiet, Section } from '#web/ui/section.tsx'
import { useDocumentViewer } from '#web/documents/use-document-viewer.tsx'

interface HistoryProps<Row extends RowData> {
  title: string
  columns: Column<Row>[]
  rows: Row[]
}

const History = <Row extends RowData & { id: string }>({ title, columns, rows }: HistoryProps<Row>) => (
  <Section title={title} count={String(rows.length)}>
    {rows.length === 0 ? (
      <Quiet>No history found</Quiet>
    ) : (
      <StaticTable bleeds label={title} columns={columns} rows={rows} rowId={(row) => row.id} />
    )}
  </Section>
)

/** KYC History (product 5.4): the four steps, and every attempt at each. */
export function HistoryTab({ detail }: { detail: MemberDetail }) {
  const { view, viewer } = useDocumentViewer()
  const step3 = useMemo(() => step3Columns(detail.user, view), [detail.user, view])
  const step4 = useMemo(() => step4Columns(detail.user, view), [detail.user, view])
  return (
    <div className="space-y-4">
      <Overview currentStep={detail.user.kycCurrentStep} />
      <History title="Step 2: Personal Info" columns={step2Columns} rows={detail.step2History} />
      <History title="Step 3: Document Upload" columns={step3} rows={detail.step3History} />
      <History title="Step 4: Selfie Verification" columns={step4} rows={detail.step4History} />
      <History title="Submission history" columns={submissionColumns} rows={detail.submissionHistory} />
      {viewer}
    </div>
  )
}

/** Steps 1 to 3 are always shown complete, step 4 when the current step is 4 or more (product 5.4). */
function Overview({ currentStep }: { currentStep: number }) {
  return (
    <ol
      aria-label="Steps"
      className="-mx-(--gutter) -mt-5 mb-3 grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-px border-b bg-border *:bg-surface md:grid-cols-4"
    >
      {kycSteps.map((name, index) => {
        const isComplete = index + 1 < kycSteps.length || currentStep >= kycSteps.length
        const Icon = isComplete ? Check : Clock
        return (
          <li key={name} className="flex min-h-13.5 items-center gap-3 px-4 text-13 md:first:pl-(--gutter)">
            <span
              className={cn(
                'grid size-7 shrink-0 place-items-center rounded-full',
                isComplete ? 'bg-success-soft text-success-ink' : 'bg-neutral-soft text-neutral-ink',
              )}
            >
              <Icon aria-hidden className="size-4" />
            </span>
            <span className="min-w-0">
              <span className="block font-medium">
                {index + 1} {name}
              </span>
              <span className="block text-12 text-quiet">{isComplete ? 'Complete' : 'Not complete'}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
