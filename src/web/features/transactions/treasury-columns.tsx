import type { Treasury, TreasuryToken, TreasuryWallet } from '#contract/schemas/treasury.ts'
import { holdingsProblems } from '#contract/treasury.ts'
import { formatCount } from '#web/lib/money.ts'
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

/** An amount, or that it could not be read. What is unknown is never shown as zero. */
const AmountOrUnread = ({ value, unit }: { value: string | null; unit: string }) =>
  value === null ? <MissingValue>Not read</MissingValue> : <TokenAmount value={value} unit={unit} />

interface HeldAmountProps {
  value: string | null
  unit: string
  share: string | null
  /** Wallets that hold any. */
  holders?: number | null
}

/** What is held, over its share of the supply, which is rounded down. */
function HeldAmount({ value, unit, share, holders = null }: HeldAmountProps) {
  const part = share === '0' && value !== '0' ? 'under 0.01' : share
  const words = [
    part !== null && `${part}% of supply`,
    holders !== null && `${formatCount(holders)} ${holders === 1 ? 'wallet' : 'wallets'}`,
  ].filter(Boolean)
  return (
    <span className="block min-w-0 blocks:text-right">
      <AmountOrUnread value={value} unit={unit} />
      {words.length > 0 && <span className={secondLine}>{words.join(', ')}</span>}
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
      <HeldAmount
        value={original.members}
        unit={original.tokenSymbol}
        share={original.membersShare}
        holders={original.holders}
      />
    ),
    meta: { width: '150px', grow: true, align: 'right', narrow: 'labelled' },
  }),
  token.accessor('own', {
    header: 'Own Wallets',
    cell: ({ row: { original } }) => (
      <>
        <HeldAmount value={original.own} unit={original.tokenSymbol} share={original.ownShare} />
        <ShownBelow width={740} className="text-12 text-quiet">
          Supply <AmountOrUnread value={original.supply} unit={original.tokenSymbol} />
        </ShownBelow>
      </>
    ),
    meta: { width: '150px', grow: true, align: 'right', narrow: 'labelled' },
  }),
  token.accessor('supply', {
    header: 'Total Supply',
    cell: ({ row: { original } }) => (
      <span className="blocks:text-right">
        <AmountOrUnread value={original.supply} unit={original.tokenSymbol} />
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
