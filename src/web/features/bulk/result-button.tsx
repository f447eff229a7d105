import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { bulkRoutes } from '#contract/bulk.ts'
import { callRaw, describeError } from '#web/api.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useCan } from '#web/use-can.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

/** The query client reports an ended session. */
async function downloadResult(client: QueryClient, id: string) {
  const queryFn = async () => {
    saveFile(await callRaw(bulkRoutes.result, { params: { id } }))
    return null
  }
  await client.fetchQuery({ queryKey: ['bulk result', id], queryFn, staleTime: 0, gcTime: 0 })
}

/** Downloads the rows of a job with what became of each. */
export function ResultButton({ id }: { id: string }) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const mayExport = useCan('exports.take')
  if (!mayExport) return null
  async function download() {
    setPending(true)
    try {
      await downloadResult(client, id)
    } catch (error) {
      const description = describeError(error, 'Failed to export the result')
      toast({ tone: 'destructive', title: 'Export Failed', description })
    } finally {
      setPending(false)
    }
  }
  return (
    <Button loading={isPending} onClick={() => void download()}>
      <Download aria-hidden />
      Export CSV
    </Button>
  )
}
