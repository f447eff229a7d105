import { useQueryClient } from '@tanstack/react-query'
import { Download, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { exportPaths, exportRoutes, type ExportFilter, type ExportName } from '#contract/exports.ts'
import { call, buildQuery, describeError } from '#web/api.ts'
import { useCan } from '#web/use-can.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

interface ExportButtonProps<Name extends ExportName> extends Pick<ButtonProps, 'size'> {
  name: Name
  /** The filters of the list's own call. Empty ones count as none. */
  query?: Partial<Record<ExportFilter<Name>, string | undefined>>
  label?: string
  /** Tells apart two exports of a place, which on a phone are icons. */
  icon?: LucideIcon
}

/**
 * Downloads every row that passes the filters. The browser follows a link, so that the list need not fit into memory.
 * The console first checks whether the export is allowed, since it could not show the link's refusal.
 */
export function ExportButton<Name extends ExportName>({
  name,
  query = {},
  label = 'Export CSV',
  icon: Icon = Download,
  ...look
}: ExportButtonProps<Name>) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const mayExport = useCan('exports.take')
  async function download() {
    setPending(true)
    try {
      // The query client reports an ended session.
      const asked = { query: { list: name, filters: buildSearch(query) } }
      const { queryKey } = buildQuery(exportRoutes.ready, asked)
      await client.fetchQuery({
        queryKey,
        queryFn: () => call(exportRoutes.ready, asked).then(() => null),
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
    <Button
      {...look}
      loading={isPending}
      className="max-phone:w-(--control) max-phone:px-0"
      onClick={() => void download()}
    >
      <Icon aria-hidden />
      <span className="max-phone:sr-only">{label}</span>
    </Button>
  )
}

function buildSearch(query: Record<string, string | undefined>) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value)
  return search.toString()
}

function buildAddress(path: string, query: Record<string, string | undefined>) {
  const search = buildSearch(query)
  return search ? `${path}?${search}` : path
}

/** `download` keeps the page open whatever is answered. The server names the file. */
function startDownload(address: string) {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
