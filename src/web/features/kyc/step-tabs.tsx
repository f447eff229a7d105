import { useMemo } from 'react'
import { stepStatuses } from '#contract/kyc.ts'
import type { ListedStep2, ListedStep3, ListedStep4 } from '#contract/schemas/kyc-reviews.ts'
import { useDocumentViewer } from '#web/documents/use-document-viewer.tsx'
import { KycList } from './kyc-list.tsx'
import { step2Query, step3Query, step4Query } from './queries.ts'
import { step2Columns, step3Columns, step4Columns } from './step-columns.tsx'
import { listOptions } from './state-labels.ts'

const shared = { statuses: listOptions(stepStatuses), empty: 'No history found' }

/** Personal data of every attempt (product 5.9, Step 2 History). */
export const Step2Tab = () => (
  <KycList
    {...shared}
    label="Step 2 history"
    columns={step2Columns}
    query={step2Query}
    rowsOf={({ history }): ListedStep2[] => history}
    exportName="step2"
  />
)

/** Identity documents of every attempt, with links to front and back (product 5.9, Step 3 History). */
export function Step3Tab() {
  const { view, viewer } = useDocumentViewer()
  const columns = useMemo(() => step3Columns(view), [view])
  return (
    <>
      <KycList
        {...shared}
        label="Step 3 history"
        columns={columns}
        query={step3Query}
        rowsOf={({ history }): ListedStep3[] => history}
        exportName="step3"
      />
      {viewer}
    </>
  )
}

/** Selfies of every attempt (product 5.9, Step 4 History). */
export function Step4Tab() {
  const { view, viewer } = useDocumentViewer()
  const columns = useMemo(() => step4Columns(view), [view])
  return (
    <>
      <KycList
        {...shared}
        label="Step 4 history"
        columns={columns}
        query={step4Query}
        rowsOf={({ history }): ListedStep4[] => history}
        exportName="step4"
      />
      {viewer}
    </>
  )
}
