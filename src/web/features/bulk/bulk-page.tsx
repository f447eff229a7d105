import { useParams } from '@tanstack/react-router'
import { BulkJobPage } from './job-page.tsx'
import { BulkJobsPage } from './jobs-page.tsx'

/** Bulk jobs, or one of them (product 5.18). One file for both, so that their addresses weigh little in the first load. */
export default function BulkPage() {
  const { id } = useParams({ strict: false })
  return id === undefined ? <BulkJobsPage /> : <BulkJobPage id={id} />
}
