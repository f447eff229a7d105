import {
  ArrowLeftRight,
  Ban,
  CircleCheck,
  CircleX,
  FileCheck,
  Glasses,
  Eye,
  Hourglass,
  Landmark,
  type LucideIcon,
  Pencil,
  Receipt,
  RotateCcw,
  Send,
  ShieldCheck,
  ShieldX,
  StickyNote,
  Undo2,
  UserPlus,
  UserX,
  Wallet,
  Webhook,
  Lock,
  LockOpen,
} from 'lucide-react'
import type { ActivityEntry } from '#contract/schemas/activity.ts'

type Tone = 'neutral' | 'success' | 'danger' | 'info' | 'warning'
interface Look {
  icon: LucideIcon
  tone: Tone
}

const looks: Record<ActivityEntry['type'], Look> = {
  note: { icon: StickyNote, tone: 'neutral' },
  kyc_step: { icon: FileCheck, tone: 'neutral' },
  kyc_submitted: { icon: Send, tone: 'info' },
  approve_kyc: { icon: ShieldCheck, tone: 'success' },
  reject_kyc: { icon: ShieldX, tone: 'danger' },
  reset_kyc: { icon: RotateCcw, tone: 'neutral' },
  ask_another_look: { icon: Glasses, tone: 'warning' },
  end_another_look: { icon: Undo2, tone: 'neutral' },
  ban_user: { icon: Ban, tone: 'danger' },
  unban_user: { icon: Undo2, tone: 'success' },
  order_placed: { icon: Receipt, tone: 'info' },
  order_changed: { icon: Pencil, tone: 'neutral' },
  order_paid: { icon: CircleCheck, tone: 'success' },
  order_completed: { icon: CircleCheck, tone: 'success' },
  order_expired: { icon: Hourglass, tone: 'neutral' },
  order_cancelled: { icon: CircleX, tone: 'neutral' },
  payment_applied: { icon: Landmark, tone: 'success' },
  payment_undone: { icon: Undo2, tone: 'warning' },
  wallet_added: { icon: Wallet, tone: 'neutral' },
  account_transaction: { icon: ArrowLeftRight, tone: 'neutral' },
  chain_transfer: { icon: ArrowLeftRight, tone: 'neutral' },
  view_document: { icon: Eye, tone: 'neutral' },
  message_sent: { icon: Webhook, tone: 'neutral' },
  message_received: { icon: Webhook, tone: 'neutral' },
  joined: { icon: UserPlus, tone: 'neutral' },
  update_member: { icon: Pencil, tone: 'neutral' },
  place_legal_hold: { icon: Lock, tone: 'warning' },
  lift_legal_hold: { icon: LockOpen, tone: 'neutral' },
  erase_member: { icon: UserX, tone: 'neutral' },
}

const failing = new Set(['failed', 'refused'])

/** A failed transfer or message looks like a failure, whatever it is. */
export function lookOf({ type, subject, state }: ActivityEntry): Look {
  const look = looks[type]
  if (state !== null && failing.has(state)) return { ...look, tone: 'danger' }
  const isMoneyLost = type === 'payment_applied' && subject !== 'order'
  return isMoneyLost ? { ...look, tone: 'warning' } : look
}
