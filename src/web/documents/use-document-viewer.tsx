import { lazy, useCallback, useState, type ReactNode } from 'react'
import { displayName, type User } from '#contract/users.ts'
import { Lazily } from '#web/ui/lazily.tsx'
import { toast } from '#web/ui/toast.ts'

const DocumentViewer = lazy(() => import('./document-viewer.tsx'))

interface ViewedDocument {
  label: string
  path: string
}

/** `view` opens a document of this member in the viewer; render `viewer` beside what opens it. */
export function useDocumentViewer(user: User): {
  view: (document: { label: string; path: string | null }) => void
  viewer: ReactNode
} {
  const [viewed, setViewed] = useState<ViewedDocument | null>(null)
  const close = () => setViewed(null)
  const view = useCallback(({ label, path }: { label: string; path: string | null }) => {
    if (path) return setViewed({ label, path })
    // SPEC section 5, document view.
    const description = 'No document found for this user.'
    toast({ tone: 'destructive', title: 'Document Not Available', description })
  }, [])
  return {
    view,
    viewer: viewed && (
      <Lazily fallback={null} onFailure={close}>
        <DocumentViewer
          userId={user.id}
          userName={displayName(user)}
          label={viewed.label}
          documentPath={viewed.path}
          onClose={close}
        />
      </Lazily>
    ),
  }
}
