import {
  ArrowLeftRight,
  Ban,
  CircleCheck,
  CircleX,
  Eye,
  FileCheck,
  Glasses,
  Hourglass,
  Landmark,
  Lock,
  LockOpen,
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
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { ActivityEntry } from '#contract/schemas/activity.ts'
import { cn } from '#web/lib/cn.ts'
import { formatDecimal, formatDollars } from '#web/lib/money.ts'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { writePeek } from '#web/peek/peek-target.ts'
import { Hash } from '#web/ui/hash.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { NoteText } from './note-text.tsx'
import { describeEntry, titles } from './words.ts'

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
  view_member: { icon: Eye, tone: 'neutral' },
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
function lookOf({ type, subject, state }: ActivityEntry): Look {
  const look = looks[type]
  if (state !== null && failing.has(state)) return { ...look, tone: 'danger' }
  const isMoneyLost = type === 'payment_applied' && subject !== 'order'
  return isMoneyLost ? { ...look, tone: 'warning' } : look
}

const circles = {
  neutral: 'bg-neutral-soft text-neutral-ink inset-ring inset-ring-border-strong',
  success: 'bg-success-soft text-success-ink',
  danger: 'bg-danger-soft text-danger-ink',
  info: 'bg-info-soft text-info-ink',
  warning: 'bg-warning-soft text-warning-ink',
}

const linkLook = 'wrap-anywhere link-reference font-semibold'

/** A currency has two places, a token as many as it needs. */
const formatAmount = (amount: string, unit: string | null) =>
  formatDecimal(amount, unit !== null && /^[A-Z]{3}$/.test(unit) ? 2 : undefined)

/** Longer ones, of tokens alone, would not fit on a phone in one line. */
const longestLine = 22

function Amount({ type, amount, unit }: Pick<ActivityEntry, 'type' | 'amount' | 'unit'>) {
  if (amount === null) return null
  const text = type === 'account_transaction' ? formatDollars(amount) : formatAmount(amount, unit)
  return (
    <>
      <span className={cn('tabular-nums', text.length > longestLine ? 'wrap-anywhere' : 'whole-number')}>{text}</span>{' '}
      {unit && <bdi className="font-regular wrap-anywhere text-quiet">{unit}</bdi>}
    </>
  )
}

/** What is said in small below the title. */
function Detail({ entry }: { entry: ActivityEntry }) {
  const { type, link, text, note } = entry
  if (note) return note.pinnedBy === null ? <NoteText note={note} /> : 'Pinned above'
  if (type === 'wallet_added' && text) return <Hash value={text} name="address" />
  const words = describeEntry(entry)
  return (
    <>
      {words && <bdi className="wrap-anywhere whitespace-pre-line">{words}</bdi>}
      {link?.to === 'chain_transaction' && (
        <span className="ml-auto">
          {words && ' · '}
          <Hash value={link.id} name="transaction hash" />
        </span>
      )}
      {link?.to === 'message' && (
        <>
          {words && ' · '}
          <Link
            {...paths.kycWebhooks({ tab: 'deliveries', peek: writePeek({ kind: 'message', id: link.id }) })}
            className={linkLook}
          >
            Message
          </Link>
        </>
      )}
      {link?.to === 'bank_line' && (
        <>
          {words && ' · '}
          <Link {...paths.bank({ tab: 'lines', line: link.id })} className={linkLook}>
            {link.name ? <bdi>{formatAccountNumber(link.name)}</bdi> : 'Bank line'}
          </Link>
        </>
      )}
    </>
  )
}

/** Who did it. Nobody is named for what the member, the platform or the clock did. */
const Actor = ({ children }: { children: string | null }): ReactNode =>
  children && (
    <bdi title={children} className="block max-w-full truncate">
      {children}
    </bdi>
  )

/** `isLast`: nothing older is shown below it. `isOrderKnown`: the page is of this order. */
interface EntryProps {
  entry: ActivityEntry
  isLast: boolean
  isOrderKnown: boolean
}

/** One thing that happened: what, with which order and how much, when, and by whom. */
export function Entry({ entry, isLast, isOrderKnown }: EntryProps) {
  const { order, at, actor, type } = entry
  const { icon: Icon, tone } = lookOf(entry)
  return (
    <li className="relative grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3 pb-4 text-13 leading-4.5 @md:grid-cols-[1.75rem_minmax(0,1fr)_auto]">
      {!isLast && <span aria-hidden className="absolute top-8 bottom-1 left-3.5 w-px bg-border-strong" />}
      <span aria-hidden className={cn('row-span-2 grid size-7 place-items-center rounded-full', circles[tone])}>
        <Icon className="size-3.5" />
      </span>
      <div className="min-w-0 pt-1">
        <p className="font-medium">
          {titles[type](entry)}{' '}
          {order && !isOrderKnown && (
            <Link {...paths.order(order.id)} className={linkLook}>
              {order.orderNumber}
            </Link>
          )}{' '}
          <Amount {...entry} />
        </p>
        <div className="text-12 wrap-anywhere text-quiet">
          <Detail entry={entry} />
        </div>
      </div>
      <div className="max-w-44 min-w-0 text-12 text-quiet @max-md:col-start-2 @max-md:flex @max-md:max-w-full @max-md:gap-x-2 @md:pt-1 @md:text-right">
        <Instant value={at} className="@md:whitespace-nowrap" />
        <Actor>{actor}</Actor>
      </div>
    </li>
  )
}
