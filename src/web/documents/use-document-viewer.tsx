import { useCallback, useState, type ReactNode } from 'react'
import { displayName } from '#contract/members.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { toast } from '#web/ui/toast.ts'

const DocumentViewer = lazy(() => import('./document-viewer.tsx'))

/** Whose document it is. */
export type DocumentOwner = Parameters<typeof displayName>[0] & { id: string }

export interface LabelledDocument {
  /** "Identity front" */
  label: string
  path: string
}
interface ViewedDocument extends LabelledDocument {
  member: DocumentOwner
  /** The documents that Previous and Next lead to, with this one. */
  among?: readonly LabelledDocument[]
}

/** Opens a document of that member; `path` is null where none was uploaded. */
export type ViewDocument = (document: Omit<ViewedDocument, 'path'> & { path: string | null }) => void

/**
 * `view` opens a document in the viewer. Render `viewer` beside the button. The viewer stays open when the button's row
 * disappears.
 */
export function useDocumentViewer(): { view: ViewDocument; viewer: ReactNode } {
  const [viewed, setViewed] = useState<ViewedDocument | null>(null)
  const close = () => setViewed(null)
  const view = useCallback<ViewDocument>(({ path, ...document }) => {
    if (path) return setViewed({ ...document, path })
    // Product 5.4, document view.
    const description = 'No document found for this user.'
    toast({ tone: 'destructive', title: 'Document Not Available', description })
  }, [])
  return {
    view,
    viewer: (
      <LazyBoundary fallback={null} onFailure={close}>
        {viewed && (
          <DocumentViewer
            userId={viewed.member.id}
            userName={displayName(viewed.member)}
            opened={viewed}
            documents={viewed.among ?? [viewed]}
            onClose={close}
          />
        )}
      </LazyBoundary>
    ),
  }
}
