import type { Routes } from './route.ts'
import type { securitySchemas } from './schemas/security.ts'

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]
export const severityLabels: Record<Severity, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
}

export const maxResolutionNote = 1000

/** Low events that nobody has resolved for so many days are resolved by the clock (product 6.10). */
export const lowEventDays = 7

/** Of equal events at most so many are resolved by one call. */
export const maxEqualEvents = 1000

/** What the server's database account could change. `limited`: neither the tables nor what is only ever added. */
export const accountLevels = ['limited', 'owner', 'superuser'] as const

/** How an entry of the audit log can differ from what was sealed. */
export const chainFaultKinds = ['changed', 'deleted', 'missing', 'cut', 'unsealed', 'unknown_key'] as const
/** Where entries that are gone were, seen from the row that shows them. */
export const faultSides = ['before', 'after'] as const

/** The options of the Admin Actions filter and their actions (product 5.12, Security). */
export const actionFamilies = {
  login: {
    label: 'Login',
    actions: [
      'login',
      'logout',
      'login_failed',
      'step_up',
      'step_up_failed',
      'end_session',
      'create_admin',
      'set_password',
      'change_password',
      'change_password_failed',
      'create_sign_in_link',
      'add_factor',
      'rename_factor',
      'remove_factor',
      'create_recovery_codes',
      'use_recovery_code',
      'reset_factors',
      'link_provider',
      'unlink_provider',
      'set_break_glass',
      'set_alert_address',
      'confirm_alert_address',
      'remove_alert_address',
      'choose_alerts',
      'test_alerts',
      'invite_operator',
      'accept_invitation',
      'change_role',
      'disable_admin',
      'enable_admin',
    ],
  },
  ban_user: {
    label: 'User Management',
    actions: [
      'ban_user',
      'unban_user',
      'update_member',
      'view_document',
      'write_note',
      'edit_note',
      'pin_note',
      'unpin_note',
    ],
  },
  approve_kyc: {
    label: 'KYC Actions',
    actions: [
      'approve_kyc',
      'reject_kyc',
      'reset_kyc',
      'submit_kyc',
      'retry_kyc',
      'ask_another_look',
      'end_another_look',
    ],
  },
  set_order_status: { label: 'Orders', actions: ['set_order_status', 'update_order', 'complete_order'] },
  import_statement: {
    label: 'Bank',
    actions: [
      'import_statement',
      'undo_import',
      'accept_gap',
      'accept_difference',
      'accept_unreadable',
      'apply_payment',
      'undo_payment',
      'ignore_payment',
      'set_bank_policy',
      'save_bank_account',
      'view_statement_file',
    ],
  },
  create_token: { label: 'Token Management', actions: ['create_token', 'update_token'] },
  request_approval: {
    label: 'Approvals',
    actions: [
      'request_approval',
      'approve_request',
      'decline_request',
      'withdraw_request',
      'expire_request',
      'fail_request',
      'set_approval_rule',
      'set_step_up_rule',
    ],
  },
  /** Calls of the platform API, with their details and outcomes. Shown only on request. */
  platform_call: { label: 'Platform Calls', actions: ['platform_call'] },
  other: {
    label: 'Other',
    actions: [
      'export_report',
      'export_list',
      'import',
      'resolve_event',
      'start_bulk',
      'stop_bulk',
      'end_bulk',
      'verify_audit',
      'resend_deliveries',
      'resume_events',
      'create_endpoint',
      'update_endpoint',
      'delete_endpoint',
      'rotate_endpoint_secret',
      'end_endpoint_secret',
      'test_endpoint',
      'save_treasury_wallet',
      'remove_treasury_wallet',
      'create_key',
      'revoke_key',
      'rotate_document_key',
      'drop_document_keys',
      'delete_unnamed_files',
      'move_documents',
      'make_backup',
      'restore_backup',
      'erase_member',
      'place_legal_hold',
      'lift_legal_hold',
      'set_retention',
      'apply_retention',
      'share_view',
      'change_view',
      'unshare_view',
      'create_template',
      'change_template',
      'delete_template',
    ],
  },
} as const
export type AdminAction = (typeof actionFamilies)[keyof typeof actionFamilies]['actions'][number]

export const securityRoutes: Routes<typeof securitySchemas> = {
  events: { method: 'GET', path: '/api/security/events', access: 'security.view' },
  figures: { method: 'GET', path: '/api/security/figures', access: 'security.view' },
  integrity: { method: 'GET', path: '/api/security/integrity', access: 'security.view' },
  verify: { method: 'POST', path: '/api/security/integrity/verifications', access: 'security.resolve' },
  resolve: { method: 'POST', path: '/api/security/events/:id/resolve', access: 'security.resolve', versioned: true },
  logs: { method: 'GET', path: '/api/admin/logs', access: 'audit.view', readsMembers: true },
}
