import { Copy, Download, Printer } from 'lucide-react'
import { recoveryCodeCount } from '#contract/factors.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast.ts'

const fileName = 'back-office-recovery-codes.txt'

function copy(text: string): void {
  copyText(text).then(
    () => toast({ tone: 'success', title: 'Copied' }),
    () => toast({ tone: 'destructive', title: 'Error', description: 'Could not copy' }),
  )
}

const download = (text: string) =>
  saveFile({ blob: new Blob([`${text}\n`], { type: 'text/plain' }), headers: new Headers() }, fileName)

/** The codes, shown this once. Only the button closes it, so that no stray key loses them. */
export default function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n')
  return (
    <Dialog
      title="Keep your recovery codes"
      description={`Each of the ${recoveryCodeCount} signs you in once when no factor is at hand. Codes made before these no longer work.`}
      onClose={onClose}
      locked
      className="print-alone"
    >
      <DialogBody>
        <Note tone="warning" className="mb-4">
          They are shown this once. Keep them where you keep passwords, not on this device alone.
        </Note>
        <ul aria-label="Recovery codes" className="hash-text grid gap-1.5 rounded-m border p-3">
          {codes.map((code) => (
            <li key={code} className="break-all">
              {code}
            </li>
          ))}
        </ul>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button onClick={() => copy(text)}>
            <Copy aria-hidden />
            Copy
          </Button>
          <Button onClick={() => download(text)}>
            <Download aria-hidden />
            Download
          </Button>
          <Button onClick={() => window.print()}>
            <Printer aria-hidden />
            Print
          </Button>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          I Have Kept Them
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
