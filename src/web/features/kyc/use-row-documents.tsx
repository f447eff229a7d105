import { useCallback, useState, type ReactNode } from 'react'
import { displayName } from '#contract/users.ts'
import { lazy, Lazily } from '#web/ui/lazily.tsx'
import type { ViewDocument } from './step-columns.tsx'

const DocumentViewer = lazy(() => import('#web/documents/document-viewer.tsx'))

/** `view` opens a document of the member whose row was pressed; it stays open when that row leaves the page. */
export function useRowDocuments(): { view: ViewDocument; viewer: ReactNode } {
  const [viewed, setViewed] = useState<Parameters<ViewDocument>[0] | null>(null)
  const close = () => setViewed(null)
  const view = useCallback<ViewDocument>((document) => setViewed(document), [])
  return {
    view,
    viewer: (
      <Lazily fallback={null} onFailure={close}>
        {viewed && (
          <DocumentViewer
            userId={viewed.user.id}
            userName={displayName(viewed.user)}
            label={viewed.label}
            documentPath={viewed.path}
            onClose={close}
          />
        )}
      </Lazily>
    ),
  }
}
