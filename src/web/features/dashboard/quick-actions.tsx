import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Plus, ShieldAlert, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { analyticsRoutes } from '#contract/analytics.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths, waitingKyc } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { useCanAny, useCanCall } from '#web/use-can.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton, Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast.ts'
import { figuresQuery } from './queries.ts'

const look =
  'flex min-h-11 w-full items-center gap-3 border-t px-4 text-left text-13 font-medium transition-colors -outline-offset-2! hover:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-quiet'
const caption = 'ml-auto pl-2 text-12 font-regular text-quiet tabular-nums'

/** Product 5.1, Quick Actions. */
export function QuickActions({ title, className }: { title: string; className: string }) {
  const mayExport = useCanCall(analyticsRoutes.report)
  const canViewSecurity = useCanAny(['security.view', 'audit.view'])
  return (
    <Panel title={title} className={className}>
      <ul>
        <PermissionGate permission="kyc.decide">
          <li>
            <Link {...paths.kyc(waitingKyc)} className={look}>
              <ShieldCheck aria-hidden />
              Review KYC
              <PendingCount />
            </Link>
          </li>
        </PermissionGate>
        <PermissionGate permission="tokens.manage">
          <li>
            <Link {...paths.tokens()} className={look}>
              <Plus aria-hidden />
              Add Token
            </Link>
          </li>
        </PermissionGate>
        {mayExport && (
          <li>
            <ExportReport />
          </li>
        )}
        {canViewSecurity && (
          <li>
            <Link {...paths.security()} className={look}>
              <ShieldAlert aria-hidden />
              Security Audit
            </Link>
          </li>
        )}
      </ul>
    </Panel>
  )
}

function PendingCount() {
  const { data, isPending } = useQuery(figuresQuery())
  if (isPending) return <Skeleton className="ml-auto h-4 w-18" />
  return data && <span className={caption}>{formatCount(data.pendingKyc)} pending</span>
}

/** Loads its code when it is pressed. */
function ExportReport() {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  async function download() {
    setPending(true)
    try {
      const { exportReport } = await import('./export-report.ts')
      await exportReport(client)
    } catch {
      // The code could not be fetched.
      toast({ tone: 'destructive', title: 'Export Failed', description: 'Failed to generate the report' })
    } finally {
      setPending(false)
    }
  }
  return (
    <button
      type="button"
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={() => !isPending && void download()}
      className={look}
    >
      {isPending ? <Spinner /> : <Download aria-hidden />}
      Export Report
      <span className={caption}>{isPending ? 'Generating...' : 'Generate CSV'}</span>
    </button>
  )
}
