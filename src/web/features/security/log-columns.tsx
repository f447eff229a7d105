import type { AdminAction } from '#contract/security.ts'
import type { AdminLog } from '#contract/schemas/security.ts'
import { displayName } from '#contract/users.ts'
import { cn } from '#web/lib/cn.ts'
import { formatMachineName } from '#web/lib/words.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { ShownBelow } from '#web/table/table-widths.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { buildDetailLines } from '#web/lib/detail-lines.ts'
import { IpAddress } from './event-columns.tsx'

const actions: Record<AdminAction, string> = {
  login: 'Signed in',
  logout: 'Signed out',
  login_failed: 'Failed sign-in',
  step_up: 'Confirmed identity',
  step_up_failed: 'Failed to confirm identity',
  end_session: 'Ended sessions',
  create_admin: 'Created admin',
  set_password: 'Set password',
  change_password: 'Changed own password',
  change_password_failed: 'Failed password change',
  create_sign_in_link: 'Made sign-in link',
  add_factor: 'Added second factor',
  rename_factor: 'Renamed second factor',
  remove_factor: 'Removed second factor',
  create_recovery_codes: 'Made recovery codes',
  use_recovery_code: 'Used recovery code',
  reset_factors: 'Reset second factors',
  link_provider: 'Linked sign-in provider',
  unlink_provider: 'Unlinked sign-in provider',
  set_break_glass: 'Set emergency sign-in',
  invite_operator: 'Invited operator',
  accept_invitation: 'Accepted invitation',
  change_role: 'Changed role',
  disable_admin: 'Disabled operator',
  enable_admin: 'Enabled operator',
  ban_user: 'Banned user',
  unban_user: 'Unbanned user',
  update_member: 'Changed user data',
  view_document: 'Viewed document',
  approve_kyc: 'Approved KYC',
  reject_kyc: 'Rejected KYC',
  reset_kyc: 'Reset KYC',
  submit_kyc: 'Submitted KYC',
  retry_kyc: 'Retried KYC submission',
  import_statement: 'Imported bank statement',
  undo_import: 'Undid import',
  accept_gap: 'Accepted gap',
  apply_payment: 'Applied payment',
  undo_payment: 'Undid payment',
  ignore_payment: 'Put payment aside',
  set_bank_policy: 'Changed reconciliation policy',
  save_bank_account: 'Saved bank account',
  view_statement_file: 'Viewed statement file',
  create_token: 'Created token',
  update_token: 'Changed token',
  rotate_document_key: 'Replaced key of documents',
  drop_document_keys: 'Removed keys of documents',
  erase_member: 'Erased member',
  place_legal_hold: 'Placed legal hold',
  lift_legal_hold: 'Lifted legal hold',
  set_retention: 'Changed retention',
  apply_retention: 'Deleted what was due',
  delete_unnamed_files: 'Deleted unnamed files',
  export_report: 'Exported report',
  export_list: 'Exported list',
  import: 'Imported data',
  set_order_status: 'Set order status',
  update_order: 'Changed order',
  resolve_event: 'Resolved event',
  complete_order: 'Completed order',
  resend_deliveries: 'Resent messages',
  resume_events: 'Resumed events',
  create_endpoint: 'Added endpoint',
  update_endpoint: 'Changed endpoint',
  delete_endpoint: 'Deleted endpoint',
  rotate_endpoint_secret: 'Gave endpoint a new secret',
  end_endpoint_secret: 'Ended old secret of endpoint',
  test_endpoint: 'Tested endpoint',
  save_treasury_wallet: 'Saved own wallet',
  remove_treasury_wallet: 'Removed own wallet',
  create_key: 'Created key',
  revoke_key: 'Revoked key',
  request_approval: 'Requested approval',
  approve_request: 'Approved request',
  decline_request: 'Declined request',
  withdraw_request: 'Withdrew request',
  expire_request: 'Request expired',
  fail_request: 'Approved request, which failed',
  set_approval_rule: 'Changed approval rule',
  platform_call: 'Platform call',
}
const words = new Map<string, string>(Object.entries(actions))

/** A refused call may name a member who does not exist. */
const isRefusedCall = ({ action, details }: AdminLog) => action === 'platform_call' && details['outcome'] === undefined

/** Links a member. Other targets are plain text. */
function Target({ log }: { log: AdminLog }) {
  const { targetType, targetId, targetMember } = log
  if (targetType === null || targetId === null) return <span className="text-quiet">None</span>
  const text = (
    <>
      {formatMachineName(targetType)} <bdi>{targetId}</bdi>
    </>
  )
  if (targetMember)
    return (
      <div className="min-w-0 leading-4.5">
        <Link
          {...paths.user(targetId)}
          title={displayName(targetMember)}
          dir="auto"
          className="hit-line block truncate text-left underline decoration-border-control underline-offset-3 hover:decoration-ink"
        >
          {displayName(targetMember)}
        </Link>
        <span title={targetId} className="block truncate text-12 text-quiet">
          {text}
        </span>
      </div>
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
  const lines = buildDetailLines(details)
  if (lines.length === 0) return <span className="text-quiet">None</span>
  return (
    <ul className="text-12 leading-4.5 rows:py-2">
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

const column = createColumns<AdminLog>()

/** The columns of what operators did (product 5.12, 6.9): who, when, from where, on what, before and after. */
export const logColumns = [
  column.accessor('action', {
    header: 'Action',
    cell: ({ getValue, row: { original } }) => (
      <>
        <span className="block truncate font-medium">{words.get(getValue()) ?? formatMachineName(getValue())}</span>
        <ShownBelow width={740} className="text-12 text-quiet">
          <Target log={original} />
        </ShownBelow>
      </>
    ),
    meta: { width: '136px', cut: true },
  }),
  column.accessor('actor', {
    header: 'Admin',
    cell: ({ getValue, row: { original } }) => (
      <>
        <Link
          {...paths.security({ tab: 'actions', search: getValue() })}
          title={`Actions of ${getValue()}`}
          className="block truncate underline decoration-border-control underline-offset-3 hover:decoration-ink"
        >
          {getValue()}
        </Link>
        {original.ipAddress !== null && (
          <ShownBelow width={960} className="text-quiet">
            <IpAddress value={original.ipAddress} />
          </ShownBelow>
        )}
      </>
    ),
    meta: { min: '96px', narrow: 'end' },
  }),
  column.display({
    id: 'target',
    header: 'Target',
    cell: ({ row: { original } }) => <Target log={original} />,
    meta: { min: '128px', hideBelow: 740, narrow: 'labelled' },
  }),
  column.accessor('details', {
    header: 'Details',
    cell: ({ getValue }) => <Details details={getValue<AdminLog['details']>()} />,
    meta: { min: '180px', narrow: 'full' },
  }),
  column.accessor('ipAddress', {
    header: 'IP Address',
    cell: ({ getValue }) => <IpAddress value={getValue<string | null>()} />,
    meta: { width: '116px', cut: true, hideBelow: 960, narrow: 'labelled' },
  }),
  column.accessor('createdAt', {
    header: 'Date',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(1180) },
  }),
]
