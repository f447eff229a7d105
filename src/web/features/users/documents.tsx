import { FileImage, FileX, UserRound } from 'lucide-react'
import { documentLabels } from '#contract/kyc-parts.ts'
import type { User } from '#contract/schemas/users.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { Button } from '#web/ui/button.tsx'
import { Section } from '#web/ui/section.tsx'
import { useDocumentViewer } from '#web/documents/use-document-viewer.tsx'

/** The three uploads. Pictures load only on request, since each view of identity papers is audited (product 6.9). */
export function Documents({ user }: { user: User }) {
  const { view, viewer } = useDocumentViewer()
  const documents = [
    { label: documentLabels.front, path: user.kycFrontDocumentUrl, icon: FileImage },
    { label: documentLabels.back, path: user.kycBackDocumentUrl, icon: FileImage },
    { label: documentLabels.selfie, path: user.kycSelfieUrl, icon: UserRound },
  ]
  const among = documents.flatMap(({ label, path }) => (path ? [{ label, path }] : []))
  return (
    <Section title="Uploaded documents">
      <ul className="grid gap-3 md:grid-cols-3">
        {documents.map(({ label, path, icon }) => {
          const Icon = path ? icon : FileX
          return (
            <li key={label} className="overflow-hidden rounded-m border">
              <div className="grid h-24 place-content-center justify-items-center gap-1.5 bg-canvas text-12 text-quiet">
                <Icon aria-hidden className="size-6" strokeWidth={1.5} />
                {path ? 'Uploaded' : 'Not uploaded'}
              </div>
              <div className="flex min-h-10 items-center gap-2 border-t py-1.5 pr-1.5 pl-3 text-13">
                <span className="min-w-0 flex-1 truncate" title={label}>
                  {label}
                </span>
                <PermissionGate permission="documents.view">
                  <Button size="small" aria-label={`View ${label}`} onClick={() => view({ user, label, path, among })}>
                    View
                  </Button>
                </PermissionGate>
              </div>
            </li>
          )
        })}
      </ul>
      {viewer}
    </Section>
  )
}
