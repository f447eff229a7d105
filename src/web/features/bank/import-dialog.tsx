import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { useUnsaved } from '#web/ui/use-unsaved.ts'
import { FileImportItem, type AddAccount } from './file-import-item.tsx'
import { useFileImports, type FileImport } from './use-file-imports.ts'

const AccountDialog = lazy(() => import('./account-dialog.tsx'))

interface ImportDialogProps {
  /** The files to import; more may follow. */
  files: File[]
  onFiles: (files: File[]) => void
  accounts: BankAccount[]
  /** The account that the page shows. */
  chosen: BankAccount | undefined
  onClose: () => void
}

const isUnfinished = ({ state: { step } }: FileImport) => step === 'account' || step === 'columns' || step === 'waiting'

/** Imports statement files, and says of each its outcome. */
export default function ImportDialog({ files, onFiles, accounts, chosen, onClose }: ImportDialogProps) {
  const { imports, ...actions } = useFileImports(files, chosen)
  const isSending = imports.some(({ state }) => state.step === 'sending')
  const close = useUnsaved({ isEdited: () => imports.some(isUnfinished), isSending, onClose })
  const [adding, setAdding] = useState<Parameters<AddAccount>[0] | null>(null)
  return (
    <Dialog
      title="Import statements"
      description="camt.052, camt.053, camt.054, MT940, CSV, or a zip of them. No line is taken twice."
      onClose={() => void close()}
      locked={isSending}
      className="max-w-180"
    >
      <DialogBody>
        <FilePicker hasFiles={imports.length > 0} onFiles={onFiles} />
        <ul aria-label="Files" className="grid grid-cols-[minmax(0,1fr)] gap-3 [&:not(:empty)]:mt-4">
          {imports.map((each) => (
            <FileImportItem key={each.id} item={each} actions={actions} accounts={accounts} onAddAccount={setAdding} />
          ))}
        </ul>
      </DialogBody>
      <DialogFooter>
        <Button disabled={isSending} onClick={() => void close()}>
          Close
        </Button>
      </DialogFooter>
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={() => setAdding(null)}>
        {adding && (
          <AccountDialog
            account={null}
            named={adding.named}
            onClose={() => setAdding(null)}
            onAdded={(account) => actions.startWith(adding.id, account)}
          />
        )}
      </LazyBoundary>
    </Dialog>
  )
}

/** A place to drop files on, and the button that chooses them. */
function FilePicker({ hasFiles, onFiles }: { hasFiles: boolean; onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div
      className={`flex flex-wrap items-center justify-center gap-x-4 gap-y-3 rounded-l border border-dashed border-border-control px-4 ${hasFiles ? 'py-3' : 'py-8'}`}
    >
      <span className="text-13 text-quiet">Drop files anywhere on the page, or</span>
      <Button onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        Choose Files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        aria-label="Statement files"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
    </div>
  )
}
