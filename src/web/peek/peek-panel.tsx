import type { PeekTarget } from './peek-target.ts'
import { BankLinePanel } from './bank-line-panel.tsx'
import { MemberPanel } from './member-panel.tsx'
import { MessagePanel } from './message-panel.tsx'
import { OrderPanel } from './order-panel.tsx'

const panels = { member: MemberPanel, order: OrderPanel, bankLine: BankLinePanel, message: MessagePanel }

/** Peek (product 5.19): a record at a glance, beside the list that it was opened from. */
export default function PeekPanel({ target: { kind, id } }: { target: PeekTarget }) {
  const Panel = panels[kind]
  return <Panel id={id} />
}
