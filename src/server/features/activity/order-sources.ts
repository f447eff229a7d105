import {
  auditOf,
  buildLink,
  changedFields,
  details,
  quoteType,
  messageFields,
  noteSource,
  type Source,
} from './source.ts'

const orderLink = `json_build_object('id', o.id::text, 'orderNumber', o.order_number)`
/** The audit row that moved an order to a status. */
const findMove = (column: string, status: string) =>
  `(SELECT ${column} FROM audit_log a WHERE a.target_type = 'order' AND a.target_id = o.id::text
    AND a.details->'after'->>'status' = '${status}' ORDER BY a.id DESC LIMIT 1)`
const selectMoveNotes = (status: string) => findMove(`audit_details(a.id, a.details)->>'notes'`, status)

const money = { order: orderLink, amount: 'o.investment_amount::text', unit: 'o.currency', text: 'o.project_name' }

/** Of the orders that a condition over `o` names: their outcome, their money and their messages. */
export const buildOrderSources = (ofOrders: string): Source[] => [
  {
    kind: 'orders',
    type: quoteType('order_placed'),
    rows: `FROM orders o WHERE ${ofOrders}`,
    at: 'o.created_at',
    id: 'o.id',
    permissions: ['orders.view'],
    select: money,
  },
  {
    kind: 'orders',
    type: quoteType('order_changed'),
    rows: auditOf({ type: 'order', id: 'o.id::text' }, ['update_order'], 'CROSS JOIN orders o') + ` AND ${ofOrders}`,
    at: 'a.created_at',
    id: 'a.id',
    permissions: ['orders.view'],
    select: { order: orderLink, actor: 'a.actor_name', fields: changedFields },
  },
  ...paymentSources(ofOrders),
  {
    kind: 'orders',
    type: quoteType('order_paid'),
    rows: `FROM orders o WHERE ${ofOrders} AND o.paid_at IS NOT NULL AND o.paid_via IS DISTINCT FROM 'hand'`,
    at: 'o.paid_at',
    id: 'o.id',
    permissions: ['orders.view'],
    select: { ...money, actor: findMove('a.actor_name', 'paid'), subject: 'o.paid_via', text: selectMoveNotes('paid') },
  },
  {
    kind: 'orders',
    type: quoteType('order_completed'),
    rows: `FROM orders o WHERE ${ofOrders} AND o.completed_at IS NOT NULL`,
    at: 'o.completed_at',
    id: 'o.id',
    permissions: ['orders.view'],
    select: { ...money, actor: findMove('a.actor_name', 'completed') },
  },
  {
    kind: 'orders',
    type: `'order_' || o.status`,
    rows: `FROM orders o WHERE ${ofOrders} AND o.status IN ('expired', 'cancelled')`,
    // An order that came with its history has no time of its own for this.
    at: 'coalesce(o.status_changed_at, o.expires_at)',
    id: 'o.id',
    permissions: ['orders.view'],
    select: { ...money, actor: 'o.status_changed_by', text: `CASE o.status WHEN 'cancelled' THEN o.notes END` },
  },
  {
    kind: 'messages',
    type: quoteType('message_sent'),
    rows: `FROM orders o JOIN messages g ON g.entity_id = o.order_number AND g.entity_type = 'order' WHERE ${ofOrders}`,
    at: 'g.created_at',
    id: 'g.id',
    permissions: ['messages.view'],
    select: { ...messageFields(), order: orderLink },
  },
]

/** The audit rows of an operator's move to a status. */
const buildMoveSource = (ofOrders: string, action: string, status: string) => ({
  rows:
    auditOf({ type: 'order', id: 'o.id::text' }, [action], 'CROSS JOIN orders o') +
    ` AND ${ofOrders} AND a.details->'after'->>'status' = '${status}'`,
  at: 'a.created_at',
  id: 'a.id',
  permissions: ['orders.view'] as const,
  select: { ...money, actor: 'a.actor_name', subject: `'hand'`, text: `${details}->>'notes'` },
})

/** The bank's money on orders, each part that was undone, and what operators marked as paid. */
function paymentSources(ofOrders: string): Source[] {
  const rows = `FROM orders o JOIN bank_allocations b ON b.order_id = o.id JOIN bank_lines l ON l.id = b.line_id WHERE ${ofOrders}`
  const select = {
    order: orderLink,
    amount: 'b.amount::text',
    unit: 'l.currency',
    subject: 'b.purpose',
    link: buildLink('bank_line', 'l.id::text', `coalesce(l.payer_name, l.payer_account, '')`),
  }
  return [
    {
      kind: 'payments',
      type: quoteType('payment_applied'),
      rows,
      at: 'b.made_at',
      id: 'b.id',
      permissions: ['orders.view'],
      select: { ...select, actor: 'b.made_by', text: 'b.reason' },
    },
    {
      kind: 'payments',
      type: quoteType('payment_undone'),
      rows: `${rows} AND b.undone_at IS NOT NULL`,
      at: 'b.undone_at',
      id: 'b.id',
      permissions: ['orders.view'],
      select: { ...select, actor: 'b.undone_by', text: 'b.undo_reason' },
    },
    // An order keeps no trace of a payment that was undone, the audit log does.
    { ...buildMoveSource(ofOrders, 'set_order_status', 'paid'), kind: 'orders', type: quoteType('order_paid') },
    {
      ...buildMoveSource(ofOrders, 'undo_payment', 'waiting_payment'),
      kind: 'payments',
      type: quoteType('payment_undone'),
    },
  ]
}

/** What can happen to an order, `$1`. */
export const orderSources: readonly Source[] = [
  ...buildOrderSources('o.id = $1::bigint'),
  noteSource('n.order_id = $1::bigint', []),
]
