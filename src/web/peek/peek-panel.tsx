import type { PeekTarget } from './peek-target.ts'
import { MemberPanel } from './member-panel.tsx'
import { OrderPanel } from './order-panel.tsx'

/** Peek (product 5.19): a record at a glance, beside the list that it was opened from. */
export default function PeekPanel({ target: { kind, id } }: { target: PeekTarget }) {
  if (kind === 'member') return <MemberPanel id={id} />
  return <OrderPanel id={id} />
}
