import { useQueryClient } from '@tanstack/react-query'
import { Download, type LucideIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { type ChosenExport, exportPaths, exportRoutes, type ExportFilter, type ExportName } from '#contract/exports.ts'
import { call, callRaw, describeError } from '#web/api.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useCan } from '#web/use-can.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

interface DownloadButtonProps extends Pick<ButtonProps, 'size'> {
  download: () => Promise<void>
  label: string
  icon?: LucideIcon | undefined
}

/** Downloads a file, for who may export. */
export function DownloadButton({ download, label, icon: Icon = Download, ...look }: DownloadButtonProps) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const key = useId()
  const mayExport = useCan('exports.take')
  async function load() {
    setPending(true)
    try {
      // The query client reports an ended session.
      await client.fetchQuery({
        queryKey: ['download', key],
        queryFn: () => download().then(() => null),
        staleTime: 0,
        gcTime: 0,
      })
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
      onClick={() => void load()}
    >
      <Icon aria-hidden />
      <span className="max-phone:sr-only">{label}</span>
    </Button>
  )
}

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
  icon,
  ...look
}: ExportButtonProps<Name>) {
  async function download() {
    const filters = buildSearch(query)
    await call(exportRoutes.ready, { query: { list: name, filters } })
    startDownload(filters ? `${exportPaths[name]}?${filters}` : exportPaths[name])
  }
  return <DownloadButton {...look} {...{ label, icon, download }} />
}

/** Downloads chosen rows, which are few enough for the memory and too many for a link. */
export function ExportChosenButton({ name: list, ids }: { name: ChosenExport; ids: string[] }) {
  const download = async () => saveFile(await callRaw(exportRoutes.chosen, { body: { list, ids } }))
  return <DownloadButton size="small" label="Export" download={download} />
}

function buildSearch(query: Record<string, string | undefined>) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value)
  return search.toString()
}

/** `download` keeps the page open whatever is answered. The server names the file. */
function startDownload(address: string) {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
