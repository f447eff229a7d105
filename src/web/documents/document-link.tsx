import { displayName } from '#contract/members.ts'
import { useCan } from '#web/use-can.ts'
import { MissingValue } from '#web/ui/section.tsx'
import type { DocumentOwner, ViewDocument } from './use-document-viewer.tsx'

interface DocumentLinkProps {
  member: DocumentOwner
  /** Adds the member's name where rows belong to several members. */
  withName?: boolean
  /** "Identity front" */
  kind: string
  attempt: number
  path: string | null
  view: ViewDocument
}

/** Opens the document of an attempt from its row, for an admin who may view documents. */
export function DocumentLink({ member, withName = false, kind, attempt, path, view }: DocumentLinkProps) {
  const mayView = useCan('documents.view')
  if (!path) return <MissingValue>None</MissingValue>
  if (!mayView) return <MissingValue>Uploaded</MissingValue>
  const label = `${kind}, attempt ${attempt}`
  return (
    <button
      type="button"
      aria-label={withName ? `View ${label} of ${displayName(member)}` : `View ${label}`}
      onClick={() => view({ member, label, path })}
      className="min-h-6 min-w-6 rounded-s text-13 font-medium link-reference max-md:-my-2.5 max-md:min-h-10 max-md:min-w-10 max-md:text-right"
    >
      View
    </button>
  )
}
