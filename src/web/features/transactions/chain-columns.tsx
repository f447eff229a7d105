import { ExternalLink } from 'lucide-react'
import type { MonitoredTransaction } from '#contract/schemas/transactions.ts'
import { shortenHash } from '#web/lib/hashes.ts'
import { displayName } from '#contract/members.ts'
import { settings } from '#web/lib/settings.ts'
import { Link } from '#web/link.tsx'
import { TransactionBadge } from '#web/members/badges.tsx'
import { transactionTypes, TransactionTypeBadge } from '#web/members/transactions.tsx'
import { paths } from '#web/paths.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { ShownBelow } from '#web/table/table-widths.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Hash } from '#web/ui/hash.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { TokenAmount } from '#web/ui/token-amount.tsx'

/** Why hashes have no link to a block explorer. */
const describeMissingExplorer = () =>
  settings.explorerUrl !== null
    ? undefined
    : settings.demo
      ? 'The demo’s own chain has no block explorer'
      : 'No block explorer is set for this chain'

/** Links to the block explorer, if the chain has one. */
function ExplorerLink({ hash }: { hash: string }) {
  if (settings.explorerUrl === null) return null
  const label = `Open transaction ${shortenHash(hash)} in the block explorer`
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
  const short = shortenHash(walletAddress)
  return (
    <span className="inline-flex items-center gap-0.5 whitespace-nowrap">
      <Link
        {...paths.member(userId, { tab: 'wallets' })}
        data-row-link
        title={walletAddress}
        aria-label={`${short}, member's wallets`}
        className="hash-text hit-area link-reference"
      >
        {short}
      </Link>
      <CopyButton text={walletAddress} label={`Copy wallet ${short}`} />
    </span>
  )
}

/** The other side: a member by name, an own wallet by its label, or an address alone. */
function Counterparty({ transaction: { counterparty } }: { transaction: MonitoredTransaction }) {
  if (counterparty === null) return <MissingValue>Unknown</MissingValue>
  const { address, user, label } = counterparty
  if (user)
    return (
      <Link
        {...paths.member(user.id, { tab: 'wallets' })}
        title={`${displayName(user)}, ${address}`}
        className="block truncate link-reference"
      >
        <bdi>{displayName(user)}</bdi>
      </Link>
    )
  if (label !== null)
    return (
      <span title={address} className="block truncate">
        <bdi>{label}</bdi> <span className="text-quiet">(yours)</span>
      </span>
    )
  return <Hash value={address} name="counterparty" />
}

/** Every digit of the amount, its unit quieter. */
function Amount({ transaction: { amount, tokenSymbol, tokenAddress } }: { transaction: MonitoredTransaction }) {
  return <TokenAmount value={amount} unit={tokenSymbol ?? shortenHash(tokenAddress)} />
}

const column = createColumns<MonitoredTransaction>()

/** The columns of the history (product 5.8, Transaction Monitoring). */
export const monitorColumns = [
  column.accessor('transactionHash', {
    header: 'Hash',
    cell: ({ row: { original } }) => (
      <>
        <span className="inline-flex items-center">
          <Hash value={original.transactionHash} name="transaction hash" about={describeMissingExplorer()} />
          <ExplorerLink hash={original.transactionHash} />
        </span>
        <ShownBelow width={1040} className="text-quiet">
          <Wallet transaction={original} />
        </ShownBelow>
        <ShownBelow width={1180} className="text-12 text-quiet">
          <Counterparty transaction={original} />
        </ShownBelow>
      </>
    ),
    meta: { width: '112px', grow: true, narrow: 'subject' },
  }),
  column.accessor('type', {
    header: 'Type',
    cell: ({ getValue }) => <TransactionTypeBadge type={getValue()} />,
    meta: { width: '100px', grow: true, hideBelow: 740, narrow: 'hidden' },
  }),
  column.accessor('amount', {
    header: 'Amount',
    cell: ({ row: { original } }) => (
      <>
        <Amount transaction={original} />
        <ShownBelow width={740} className="text-12 text-quiet">
          {transactionTypes[original.type].label}
        </ShownBelow>
      </>
    ),
    meta: { width: '120px', grow: true, align: 'right', narrow: 'aside' },
  }),
  column.accessor('status', {
    header: 'Status',
    cell: ({ row: { original } }) => (
      <>
        <TransactionBadge status={original.status} />
        <ShownBelow width={880} className="text-12 text-quiet">
          <Instant value={original.createdAt} />
        </ShownBelow>
      </>
    ),
    meta: { width: '96px', grow: true, narrow: 'aside' },
  }),
  column.accessor('walletAddress', {
    header: 'Wallet',
    cell: ({ row: { original } }) => <Wallet transaction={original} />,
    meta: { width: '112px', grow: true, hideBelow: 1040, narrow: 'hidden' },
  }),
  column.accessor('counterparty', {
    header: 'Counterparty',
    cell: ({ row: { original } }) => <Counterparty transaction={original} />,
    meta: { min: '124px', hideBelow: 1180, narrow: 'hidden' },
  }),
  column.accessor('createdAt', {
    header: 'Date',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(1180), hideBelow: 880, narrow: 'hidden' },
  }),
]
