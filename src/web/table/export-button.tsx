import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { exportPaths, exportRoutes, type ExportFilter, type ExportName } from '#contract/exports.ts'
import { call, buildQuery, describeError } from '#web/api.ts'
import { useCan } from '#web/use-can.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

interface ExportButtonProps<Name extends ExportName> {
  name: Name
  /** The filters as they stand in the list's own call; empty ones count as none. */
  query?: Partial<Record<ExportFilter<Name>, string | undefined>>
}

/**
 * Downloads every row that the filters let through. The browser itself follows the link, so that no list is too long for
 * the page's memory; it would tell of a refusal in its own way, so the console first asks whether it may.
 */
export function ExportButton<Name extends ExportName>({ name, query = {} }: ExportButtonProps<Name>) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const mayExport = useCan('exports.take')
  async function download() {
    setPending(true)
    try {
      // Asked through the query client, which tells of an ended session.
      const { queryKey } = buildQuery(exportRoutes.ready)
      await client.fetchQuery({
        queryKey,
        queryFn: () => call(exportRoutes.ready).then(() => null),
        staleTime: 0,
        gcTime: 0,
      })
      startDownload(buildAddress(exportPaths[name], query))
    } catch (error) {
      const description = describeError(error, 'Failed to export the list')
      toast({ tone: 'destructive', title: 'Export Failed', description })
    } finally {
      setPending(false)
    }
  }
  if (!mayExport) return null
  return (
    <Button loading={isPending} className="max-phone:w-(--control) max-phone:px-0" onClick={() => void download()}>
      <Download aria-hidden />
      <span className="max-phone:sr-only">Export CSV</span>
    </Button>
  )
}

function buildAddress(path: string, query: Record<string, string | undefined>) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value)
  return search.size > 0 ? `${path}?${search}` : path
}

/** `download` keeps the console where it is, whatever is answered; the server's own name for the file wins. */
function startDownload(address: string) {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
