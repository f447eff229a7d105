import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, RefreshCw } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Treasury } from '#contract/schemas/treasury.ts'
import { mostTreasuryWallets, treasuryRoutes } from '#contract/treasury.ts'
import { call, describeError } from '#web/api.ts'
import { localizeInstants } from '#web/lib/dates.ts'
import { formatCount } from '#web/lib/money.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { StaticTable } from '#web/table/static-table.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Note } from '#web/ui/note.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { Section } from '#web/ui/section.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { treasuryQuery } from './queries.ts'
import { holdingsColumns, walletColumns } from './treasury-columns.tsx'
import type { OpenedWallet } from './wallet-dialog.tsx'

const WalletDialog = lazy(() => import('./wallet-dialog.tsx'))

/** What members and the platform hold of each token, all of one block (product 5.8). */
export function TreasuryTab() {
  const query = useQuery(treasuryQuery())
  const { data, error } = query
  if (!data && error) return <LoadFailure size="page" what="The treasury" query={query} />
  return (
    <div className="gutter h-full max-w-table space-y-6 overflow-y-auto py-4 page-scrolls:h-auto print:h-auto print:overflow-visible">
      <RefreshFailure what="The treasury" query={query} />
      {data ? (
        <>
          <Holdings treasury={data} />
          <OwnWallets treasury={data} />
        </>
      ) : (
        <LoadingTreasury />
      )}
    </div>
  )
}

/** As high as the line of the reading over a table of tokens. */
const LoadingTreasury = () => (
  <Section title="Holdings">
    <output className="sr-only">Loading...</output>
    <div className="mb-3 flex min-h-(--control) items-center">
      <Skeleton className="h-4 w-100 max-w-full" />
    </div>
    <Skeleton className="h-58 rounded-l" />
  </Section>
)

function Holdings({ treasury }: { treasury: Treasury }) {
  const { reading, failure, isChainOn } = treasury
  const client = useQueryClient()
  const read = useMutation({
    mutationFn: () => call(treasuryRoutes.refresh),
    onSuccess: (fresh) => client.setQueryData(treasuryQuery().queryKey, fresh),
  })
  return (
    <Section title="Holdings">
      <div className="mb-3 flex min-h-(--control) flex-wrap items-center justify-between gap-3 text-13">
        <ReadingLine treasury={treasury} />
        {isChainOn && (
          <Button loading={read.isPending} onClick={() => read.mutate()}>
            <RefreshCw aria-hidden />
            Read Now
          </Button>
        )}
      </div>
      {failure && (
        <Note tone="danger" role="alert" className="mb-3">
          The last reading failed <Instant value={failure.at} />: {localizeInstants(failure.problem)}.{' '}
          {reading ? 'The figures below are older.' : 'Nothing was read so far.'} It is tried again by itself, after
          longer and longer pauses.
        </Note>
      )}
      {read.error && !read.isPending && (
        <Note tone="danger" role="alert" className="mb-3">
          The holdings could not be read: {describeError(read.error)}
        </Note>
      )}
      <StaticTable
        label="Holdings by token"
        columns={holdingsColumns}
        rows={(reading?.tokens ?? []).toSorted((a, b) => Number(b.members ?? -1) - Number(a.members ?? -1))}
        rowId={(token) => token.contractAddress}
        empty={describeEmpty(treasury)}
      />
    </Section>
  )
}

function describeEmpty({ isChainOn, reading, failure }: Treasury): string {
  if (!isChainOn) return 'The chain is off, so nothing is read. To change that, set BSC_RPC_URLS.'
  if (reading) return 'No data available. Holdings appear here once a token is registered.'
  return failure ? 'No data available' : 'The first reading is about to be taken.'
}

/** Of which block the figures are, and how old. */
function ReadingLine({ treasury: { reading } }: { treasury: Treasury }) {
  if (!reading) return <span className="text-quiet">Not read yet</span>
  const { blockNumber, blockAt, readAt, wallets } = reading
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 tabular-nums">
      <span>
        <span className="text-quiet">Block</span> {formatCount(blockNumber)}
      </span>
      <span>
        <span className="text-quiet">Mined</span> <Instant value={blockAt} />
      </span>
      <span>
        <span className="text-quiet">Read</span> <Instant value={readAt} />
      </span>
      <span className="text-quiet">
        {formatCount(wallets)} {wallets === 1 ? 'wallet' : 'wallets'} of members
      </span>
    </p>
  )
}

function OwnWallets({ treasury: { wallets, reading } }: { treasury: Treasury }) {
  const [opened, setOpened] = useState<OpenedWallet | null>(null)
  const columns = useMemo(() => walletColumns(reading, (name, wallet) => setOpened({ name, wallet })), [reading])
  const close = () => setOpened(null)
  const isFull = wallets.length >= mostTreasuryWallets
  return (
    <Section title="Own Wallets" count={String(wallets.length)}>
      <div className="mb-3 flex min-h-(--control) flex-wrap items-center justify-between gap-3">
        <p className="text-13 text-quiet">
          Wallets of the platform itself. The console keeps a label and no key.
          {isFull && ` There are ${mostTreasuryWallets}, and no more can be added.`}
        </p>
        <PermissionGate permission="treasury.manage">
          <ChangeButton
            variant="primary"
            aria-haspopup="dialog"
            disabled={isFull}
            onClick={() => setOpened({ name: 'add' })}
          >
            <Plus aria-hidden />
            Add Wallet
          </ChangeButton>
        </PermissionGate>
      </div>
      <StaticTable
        label="Own wallets"
        columns={columns}
        rows={wallets}
        rowId={(wallet) => wallet.id}
        empty="No own wallets are labelled yet"
      />
      <LazyBoundary fallback={null} onFailure={close}>
        {opened && <WalletDialog opened={opened} onClose={close} />}
      </LazyBoundary>
    </Section>
  )
}
