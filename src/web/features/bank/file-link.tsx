import { Download } from 'lucide-react'
import { useState } from 'react'
import { bankRoutes } from '#contract/bank.ts'
import type { BankStatement } from '#contract/schemas/bank.ts'
import { callRaw, describeError, isUnauthorized } from '#web/api.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast.ts'

type FileLinkProps = Pick<BankStatement, 'importId' | 'fileName'>

/** Downloads the imported file as it came. A refusal is shown. */
export function FileLink({ importId, fileName }: FileLinkProps) {
  const [isPending, setPending] = useState(false)
  async function download() {
    if (isPending) return
    setPending(true)
    try {
      saveFile(await callRaw(bankRoutes.file, { params: { id: importId } }), fileName)
    } catch (error) {
      const description = isUnauthorized(error)
        ? 'Your sign-in had ended. Reload the console to sign in again.'
        : describeError(error, 'Failed to download the file')
      toast({ tone: 'destructive', title: 'Download Failed', description })
    } finally {
      setPending(false)
    }
  }
  return (
    <button
      type="button"
      aria-label={`Download ${fileName}`}
      aria-busy={isPending || undefined}
      title={`Download ${fileName}`}
      onClick={() => void download()}
      className="hit-area flex max-w-full min-w-0 items-center gap-1.5 text-left link-subject"
    >
      {isPending ? <Spinner className="size-3.5" /> : <Download aria-hidden className="size-3.5 shrink-0 text-quiet" />}
      <bdi className="min-w-0 truncate">{fileName}</bdi>
    </button>
  )
}
