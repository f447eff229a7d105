import type { Treasury, TreasuryToken, TreasuryWallet } from '#contract/schemas/treasury.ts'
import { holdingsProblems } from '#contract/treasury.ts'
import { formatCount, formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { ShownBelow } from '#web/table/table-widths.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Hash } from '#web/ui/hash.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { TokenAmount } from '#web/ui/token-amount.tsx'

const secondLine = 'block text-12 text-quiet'

const decimals = 6

/** Six decimals, so that the points of a column stand over each other. The rest is on hover and for screen readers. */
function FixedAmount({ value }: { value: string }) {
  const amount = formatDecimal(value)
  const [whole, fraction = ''] = amount.split('.')
  const digits = fraction.slice(0, decimals).replace(/0+$/, '')
  const zeros = '0'.repeat(decimals - digits.length)
  const rest = fraction.slice(decimals)
  return (
    <span title={amount} className="whole-number">
      {whole}
      <span className={digits === '' ? 'text-quiet' : ''}>.</span>
      {digits}
      <span className="text-quiet">{zeros}</span>
      <span className="sr-only">{rest}</span>
      <span aria-hidden className="-mr-2.5 inline-block w-2.5 text-left text-quiet">
        {rest && '…'}
      </span>
    </span>
  )
}

/** An amount, or that it could not be read. What is unknown is never shown as zero. */
const AmountOrUnread = ({ value }: { value: string | null }) =>
  value === null ? <MissingValue>Not read</MissingValue> : <FixedAmount value={value} />

/** A power of ten from a billion on is shown as one, since nobody counts its zeros. */
const Supply = ({ value }: { value: string | null }) =>
  value !== null && /^10{9,}$/.test(value) ? (
    <span title={formatDecimal(value)}>
      <span aria-hidden>
        10<sup>{value.length - 1}</sup>
      </span>
      <span className="sr-only">{formatDecimal(value)}</span>
    </span>
  ) : (
    <AmountOrUnread value={value} />
  )

/** A share in percent on a logarithmic scale from 0.01 to 100. */
const ShareBar = ({ share }: { share: string }) => (
  <span aria-hidden className="keep-colour block h-1 w-18 shrink-0 overflow-hidden rounded-full bg-neutral-soft">
    <span
      className="block h-full min-w-0.5 bg-accent"
      style={{ width: `${Math.max(0, (Math.log10(Number(share)) + 2) / 4) * 100}%` }}
    />
  </span>
)

interface HeldAmountProps {
  value: string | null
  share: string | null
  /** Wallets that hold any. */
  holders?: number | null
}

/** What is held, over its share of the supply, which is rounded down. */
function HeldAmount({ value, share, holders = null }: HeldAmountProps) {
  const words = share !== null && `${share === '0' && value !== '0' ? 'under 0.01' : share}% of supply`
  return (
    <span className="block min-w-0 blocks:text-right">
      <AmountOrUnread value={value} />
      <span title={words || undefined} className="flex min-h-4 items-center justify-end gap-2 text-12 text-quiet">
        {holders !== null && `${formatCount(holders)} ${holders === 1 ? 'wallet' : 'wallets'}`}
        {share !== null && value !== '0' && <ShareBar share={share} />}
        <span className="sr-only">{words}</span>
      </span>
    </span>
  )
}

const token = createColumns<TreasuryToken>()

export const holdingsColumns = [
  token.accessor('tokenSymbol', {
    header: 'Token',
    cell: ({ row: { original } }) => (
      <span className="block min-w-0">
        <span className="block truncate font-medium">
          <bdi>{original.tokenSymbol}</bdi>
        </span>
        <span className={`${secondLine} truncate`} title={original.projectName}>
          <bdi>{original.projectName}</bdi>
        </span>
        {original.problem && (
          <span className="block text-12 text-danger-ink">{holdingsProblems[original.problem]}</span>
        )}
      </span>
    ),
    meta: { min: '128px', narrow: 'full' },
  }),
  token.accessor('members', {
    header: 'Members',
    cell: ({ row: { original } }) => (
      <HeldAmount value={original.members} share={original.membersShare} holders={original.holders} />
    ),
    meta: { width: '150px', grow: true, align: 'right', narrow: 'labelled' },
  }),
  token.accessor('own', {
    header: 'Own Wallets',
    cell: ({ row: { original } }) => (
      <>
        <HeldAmount value={original.own} share={original.ownShare} />
        <ShownBelow width={740} className="text-12 text-quiet">
          Supply <Supply value={original.supply} />
        </ShownBelow>
      </>
    ),
    meta: { width: '150px', grow: true, align: 'right', narrow: 'labelled' },
  }),
  token.accessor('supply', {
    header: 'Total Supply',
    cell: ({ row: { original } }) => (
      <span className="blocks:text-right">
        <Supply value={original.supply} />
      </span>
    ),
    meta: { width: '150px', grow: true, align: 'right', hideBelow: 740, narrow: 'labelled' },
  }),
]

const wallet = createColumns<TreasuryWallet>()

/** What an own wallet held of each token, in the reading that is shown. */
function Balances({ address, reading }: { address: string; reading: Treasury['reading'] }) {
  const held =
    reading?.tokens.flatMap(({ tokenSymbol, contractAddress, ownWallets }) => {
      const found = ownWallets.find((each) => each.address === address)
      return found ? [{ tokenSymbol, contractAddress, balance: found.balance }] : []
    }) ?? []
  if (held.length === 0) return <MissingValue>Not read yet</MissingValue>
  const some = held.filter(({ balance }) => balance !== '0')
  if (some.length === 0) return <MissingValue>Nothing</MissingValue>
  return (
    <ul>
      {some.map(({ tokenSymbol, contractAddress, balance }) => (
        <li key={contractAddress}>
          <TokenAmount value={balance} unit={tokenSymbol} />
        </li>
      ))}
    </ul>
  )
}

type OpenWallet = (dialog: 'edit' | 'remove', wallet: TreasuryWallet) => void

const WalletActions = ({ wallet: own, onOpen }: { wallet: TreasuryWallet; onOpen: OpenWallet }) => (
  <PermissionGate permission="treasury.manage">
    <RowActions>
      {(['edit', 'remove'] as const).map((dialog) => (
        <ChangeButton
          key={dialog}
          size="small"
          aria-haspopup="dialog"
          aria-label={`${dialog === 'edit' ? 'Edit' : 'Remove'} ${own.label}`}
          onClick={() => onOpen(dialog, own)}
        >
          {dialog === 'edit' ? 'Edit' : 'Remove'}
        </ChangeButton>
      ))}
    </RowActions>
  </PermissionGate>
)

export const walletColumns = (reading: Treasury['reading'], onOpen: OpenWallet) => [
  wallet.accessor('label', {
    header: 'Label',
    cell: ({ row: { original } }) => (
      <span className="block min-w-0">
        <span className="block truncate" title={original.label}>
          <bdi>{original.label}</bdi>
        </span>
        {original.memberId !== null && (
          <span className="block text-12 text-warning-ink">
            also{' '}
            <Link {...paths.member(original.memberId, { tab: 'wallets' })} className="underline underline-offset-3">
              a member’s wallet
            </Link>
          </span>
        )}
      </span>
    ),
    meta: { min: '120px', narrow: 'full' },
  }),
  wallet.accessor('address', {
    header: 'Address',
    cell: ({ getValue }) => <Hash value={getValue()} name="address" />,
    meta: { width: '116px', grow: true, narrow: 'labelled' },
  }),
  wallet.display({
    id: 'balances',
    header: 'Holds',
    cell: ({ row: { original } }) => <Balances address={original.address} reading={reading} />,
    meta: { width: '160px', grow: true, align: 'right', narrow: 'labelled' },
  }),
  wallet.accessor('createdAt', {
    header: 'Added',
    cell: ({ row: { original } }) => (
      <span className="block min-w-0 leading-4.5 text-quiet blocks:text-right">
        <Instant value={original.createdAt} />
        <span className="block truncate text-12" title={original.createdBy}>
          by <bdi>{original.createdBy}</bdi>
        </span>
      </span>
    ),
    meta: { width: instantWidth(960), cut: true, hideBelow: 740, narrow: 'labelled' },
  }),
  wallet.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => <WalletActions wallet={original} onOpen={onOpen} />,
    meta: { width: '132px', align: 'right', narrow: 'full' },
  }),
]
