import { Link } from '@tanstack/react-router'
import type { AdminAction, AdminLog } from '#contract/security.ts'
import { cn } from '#web/lib/cn.ts'
import { nameInWords } from '#web/lib/words.ts'
import { paths } from '#web/paths.ts'
import { columnsOf } from '#web/table/columns.ts'
import { Instant } from '#web/ui/instant.tsx'
import { detailLines } from './details.ts'
import { IpAddress } from './event-columns.tsx'

const actions: Record<AdminAction, string> = {
  login: 'Signed in',
  logout: 'Signed out',
  login_failed: 'Failed sign-in',
  end_session: 'Ended sessions',
  create_admin: 'Created admin',
  set_password: 'Set password',
  ban_user: 'Banned user',
  unban_user: 'Unbanned user',
  update_member: 'Changed user data',
  view_document: 'Viewed document',
  approve_kyc: 'Approved KYC',
  reject_kyc: 'Rejected KYC',
  reset_kyc: 'Reset KYC',
  submit_kyc: 'Submitted KYC',
  retry_kyc: 'Retried KYC submission',
  create_token: 'Created token',
  update_token: 'Changed token',
  export_report: 'Exported report',
  export_list: 'Exported list',
  import: 'Imported data',
  set_order_status: 'Set order status',
  update_order: 'Changed order',
  resolve_event: 'Resolved event',
  complete_order: 'Completed order',
  resend_deliveries: 'Resent messages',
  resume_events: 'Resumed events',
  create_key: 'Created key',
  revoke_key: 'Revoked key',
  platform_call: 'Platform call',
}
const words = new Map<string, string>(Object.entries(actions))

/** A refused call may name a member who never was. */
const isRefusedCall = ({ action, details }: AdminLog) => action === 'platform_call' && details['outcome'] === undefined

/** A member is a link; what has no page of its own is named. */
function Target({ log }: { log: AdminLog }) {
  const { targetType, targetId } = log
  if (targetType === null || targetId === null) return <span className="text-quiet">None</span>
  const text = (
    <>
      {nameInWords(targetType)} <bdi>{targetId}</bdi>
    </>
  )
  return (
    <span title={targetId} className="block truncate">
      {targetType === 'user' && !isRefusedCall(log) ? (
        <Link
          {...paths.user(targetId)}
          className="underline decoration-border-control underline-offset-3 hover:decoration-ink"
        >
          {text}
        </Link>
      ) : (
        text
      )}
    </span>
  )
}

/** What was given and what changed, a line each; a long text is cut, the whole on hover. */
function Details({ details }: { details: AdminLog['details'] }) {
  const lines = detailLines(details)
  if (lines.length === 0) return <span className="text-quiet">None</span>
  return (
    <ul className="text-12 leading-4.5 md:py-2">
      {lines.map(({ label, from, to }) => (
        <li key={label} title={from === undefined ? to : `${from} → ${to}`} className="line-clamp-2 break-words">
          <span className="text-quiet">{label}: </span>
          {from !== undefined && (
            <>
              <bdi>{from}</bdi>
              <span className="text-quiet"> → </span>
            </>
          )}
          <bdi className={cn(from !== undefined && 'font-medium')}>{to}</bdi>
        </li>
      ))}
    </ul>
  )
}

const column = columnsOf<AdminLog>()

/** The columns of what operators did (SPEC section 2, PRODUCT 3.20): who, when, from where, on what, before and after. */
export const logColumns = [
  column.accessor('action', {
    header: 'Action',
    cell: ({ getValue }) => (
      <span className="block truncate font-medium">{words.get(getValue()) ?? nameInWords(getValue())}</span>
    ),
    meta: { width: '164px' },
  }),
  column.accessor('actor', {
    header: 'Admin',
    cell: ({ getValue }) => (
      <bdi title={getValue()} className="block truncate">
        {getValue()}
      </bdi>
    ),
    meta: { width: '136px', narrow: 'end' },
  }),
  column.display({
    id: 'target',
    header: 'Target',
    cell: ({ row: { original } }) => <Target log={original} />,
    meta: { width: '188px', narrow: 'labelled' },
  }),
  column.accessor('details', {
    header: 'Details',
    cell: ({ getValue }) => <Details details={getValue<AdminLog['details']>()} />,
    meta: { narrow: 'full' },
  }),
  column.accessor('ipAddress', {
    header: 'IP Address',
    cell: ({ getValue }) => <IpAddress value={getValue<string | null>()} />,
    meta: { width: '148px', hideBelowWide: true, narrow: 'labelled' },
  }),
  column.accessor('createdAt', {
    header: 'Date',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: '184px' },
  }),
]
