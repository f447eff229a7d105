import { Link } from '@tanstack/react-router'
import {
  ArrowDownLeft,
  ArrowLeftRight,
  ArrowUpRight,
  Check,
  CircleX,
  Clock,
  ExternalLink,
  type LucideIcon,
} from 'lucide-react'
import type { MonitoredTransaction, TransactionStatus, TransactionType } from '#contract/transactions.ts'
import { shortHash } from '#web/lib/hashes.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { settings } from '#web/lib/settings.ts'
import { paths } from '#web/paths.ts'
import { columnsOf } from '#web/table/columns.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Hash } from '#web/ui/hash.tsx'
import { Instant } from '#web/ui/instant.tsx'

const types: Record<TransactionType, { icon: LucideIcon; label: string }> = {
  deposit: { icon: ArrowDownLeft, label: 'Deposit' },
  withdrawal: { icon: ArrowUpRight, label: 'Withdrawal' },
  other: { icon: ArrowLeftRight, label: 'Other' },
}

const statuses: Record<TransactionStatus, { tone: Tone; icon: LucideIcon; label: string }> = {
  completed: { tone: 'success', icon: Check, label: 'Completed' },
  pending: { tone: 'warning', icon: Clock, label: 'Pending' },
  failed: { tone: 'danger', icon: CircleX, label: 'Failed' },
}

/** The way to the block explorer, where the server names one (EXPLORER_URL). */
function ExplorerLink({ hash }: { hash: string }) {
  if (settings.explorerUrl === null) return null
  const label = `Open transaction ${shortHash(hash)} in the block explorer`
  return (
    <a
      href={`${settings.explorerUrl}/tx/${hash}`}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label}
      title={label}
      className="inline-grid size-6 shrink-0 place-items-center rounded-s text-quiet transition-colors hover:bg-hover hover:text-ink"
    >
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  )
}

/** A registered wallet leads to its member. */
function Wallet({ transaction: { walletAddress, userId } }: { transaction: MonitoredTransaction }) {
  if (userId === null) return <Hash value={walletAddress} name="wallet" />
  const short = shortHash(walletAddress)
  return (
    <span className="inline-flex items-center gap-0.5 whitespace-nowrap">
      <Link
        {...paths.user(userId, { tab: 'wallets' })}
        title={walletAddress}
        aria-label={`${short}, member's wallets`}
        className="hash-text underline decoration-border-control underline-offset-3 hover:decoration-ink"
      >
        {short}
      </Link>
      <CopyButton text={walletAddress} label={`Copy wallet ${short}`} />
    </span>
  )
}

/** Every digit of the amount, its unit quieter; what is too long is cut, the whole on hover. */
function Amount({ transaction: { amount, tokenSymbol, tokenAddress } }: { transaction: MonitoredTransaction }) {
  const shown = formatDecimal(amount)
  const unit = tokenSymbol ?? shortHash(tokenAddress)
  return (
    <span title={`${shown} ${tokenSymbol ?? tokenAddress}`} className="block min-w-0 truncate">
      {shown} <bdi className="text-quiet">{unit}</bdi>
    </span>
  )
}

const column = columnsOf<MonitoredTransaction>()

/** The columns of the history (SPEC section 2, Transaction Monitoring). */
export const monitorColumns = [
  column.accessor('transactionHash', {
    header: 'Hash',
    cell: ({ getValue }) => (
      <span className="inline-flex items-center">
        <Hash value={getValue()} name="transaction hash" />
        <ExplorerLink hash={getValue()} />
      </span>
    ),
    meta: { width: '196px', narrow: 'inline' },
  }),
  column.accessor('type', {
    header: 'Type',
    cell: ({ getValue }) => {
      const { icon, label } = types[getValue<TransactionType>()]
      return <Badge icon={icon}>{label}</Badge>
    },
    meta: { width: '132px', narrow: 'end' },
  }),
  column.accessor('amount', {
    header: 'Amount',
    cell: ({ row: { original } }) => <Amount transaction={original} />,
    meta: { align: 'right', narrow: 'full' },
  }),
  column.accessor('status', {
    header: 'Status',
    cell: ({ getValue }) => {
      const { tone, icon, label } = statuses[getValue<TransactionStatus>()]
      return (
        <Badge tone={tone} icon={icon}>
          {label}
        </Badge>
      )
    },
    meta: { width: '132px' },
  }),
  column.accessor('walletAddress', {
    header: 'Wallet',
    cell: ({ row: { original } }) => <Wallet transaction={original} />,
    meta: { width: '172px', narrow: 'end' },
  }),
  column.accessor('createdAt', {
    header: 'Date',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: '184px', narrow: 'full' },
  }),
]
