import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type FactorKind, factorRoutes, recoveryCodeCount } from '#contract/factors.ts'
import type { ReplyOf } from '#contract/route.ts'
import type { Factor } from '#contract/schemas/factors.ts'
import { buildQuery } from '#web/api.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Note } from '#web/ui/note.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { AccountCard, accountCard, AccountSection } from './account-section.tsx'
import { AddApp, AddPasskey } from './add-factor.tsx'
import type { FactorDialogProps } from './factor-dialogs.tsx'

type OpenFactor = (name: FactorDialogProps['name'], factor: Factor) => void

const column = createColumns<Factor>()

const factorColumns = (kind: FactorKind, onOpen: OpenFactor) => [
  column.accessor('name', {
    header: kind === 'passkey' ? 'Passkey' : 'App',
    cell: ({ getValue }) => (
      <span className="block truncate font-medium" title={getValue()}>
        <bdi>{getValue()}</bdi>
      </span>
    ),
    meta: { min: '140px', narrow: 'full' },
  }),
  column.accessor('createdAt', {
    header: 'Added',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(760), narrow: 'labelled' },
  }),
  column.accessor('lastUsedAt', {
    header: 'Last Used',
    cell: ({ row: { original } }) =>
      original.lastUsedAt ? (
        <Instant value={original.lastUsedAt} className="text-quiet" />
      ) : (
        <MissingValue>Not yet</MissingValue>
      ),
    meta: { width: instantWidth(760), narrow: 'labelled' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <RowActions>
        <ChangeButton
          size="small"
          aria-haspopup="dialog"
          aria-label={`Rename ${original.name}`}
          onClick={() => onOpen('rename', original)}
        >
          Rename
        </ChangeButton>
        <ChangeButton
          size="small"
          variant="hover-danger"
          aria-haspopup="dialog"
          aria-label={`Remove ${original.name}`}
          onClick={() => onOpen('remove', original)}
        >
          Remove
        </ChangeButton>
      </RowActions>
    ),
    meta: { width: '150px', align: 'right', narrow: 'full' },
  }),
]

const FactorDialog = lazy(() => import('./factor-dialogs.tsx'))
const NewCodesDialog = lazy(() => import('./new-codes-dialog.tsx'))
const RecoveryCodesDialog = lazy(() => import('./recovery-codes.tsx'))

type FactorList = ReplyOf<typeof factorRoutes.list>

const texts: Record<FactorKind, { title: string; description: string; label: string; empty: string }> = {
  passkey: {
    title: 'Passkeys',
    description: 'After your password, your fingerprint, face, PIN or security key. No other site can ask for it.',
    label: 'Your passkeys',
    empty: 'No passkeys yet',
  },
  totp: {
    title: 'Authenticator app',
    description: 'After your password, a code of 6 digits from an app. It works at every address.',
    label: 'Your authenticator apps',
    empty: 'No authenticator apps yet',
  },
}

const recoveryTexts = {
  title: 'Recovery codes',
  description: 'For the day when no factor is at hand. Each works once. They come with your first factor.',
}

/** The second factors of the signed-in admin, and the recovery codes (product 5.15). */
export function Factors() {
  const query = useQuery(buildQuery(factorRoutes.list))
  const { data, error } = query
  if (!data && error)
    return (
      <AccountSection title="Second factors" description="Passkeys, authenticator apps and recovery codes.">
        <LoadFailure what="The second factors" query={query} className="rounded-l border bg-card" />
      </AccountSection>
    )
  if (!data) return <LoadingFactors />
  return (
    <>
      <RefreshFailure what="The second factors" query={query} className="border-t py-7 max-md:py-5" />
      <KindSection kind="passkey" list={data} />
      <KindSection kind="totp" list={data} />
      <RecoverySection list={data} />
    </>
  )
}

/** As high as what comes where there is no factor yet. */
const LoadingFactors = () => (
  <>
    {[texts.passkey, texts.totp].map(({ title, description }) => (
      <AccountSection key={title} title={title} description={description}>
        <Skeleton className="block h-[66px] w-full rounded-l" />
      </AccountSection>
    ))}
    <AccountSection {...recoveryTexts}>
      <Skeleton className="block h-[66px] w-full rounded-l" />
    </AccountSection>
  </>
)

function KindSection({ kind, list: { factors, passkeyProblem } }: { kind: FactorKind; list: FactorList }) {
  const [opened, setOpened] = useState<Pick<FactorDialogProps, 'name' | 'factor'> | null>(null)
  const columns = useMemo(() => factorColumns(kind, (name, factor) => setOpened({ name, factor })), [kind])
  const { title, description, label, empty } = texts[kind]
  const close = () => setOpened(null)
  const problem = kind === 'passkey' ? passkeyProblem : null
  const ofKind = factors.filter((factor) => factor.kind === kind)
  return (
    <AccountSection title={title} description={description}>
      {ofKind.length > 0 && <StaticTable label={label} columns={columns} rows={ofKind} rowId={({ id }) => id} />}
      {/* One element, so that the dialog of the first factor stays open. */}
      <div className={ofKind.length === 0 ? accountCard : 'mt-3 flex justify-end'}>
        {ofKind.length === 0 && <span className="text-quiet">{empty}</span>}
        {kind === 'passkey' ? <AddPasskey disabled={problem !== null} /> : <AddApp />}
      </div>
      {problem && <Note className="mt-3">{problem}</Note>}
      <LazyBoundary fallback={null} onFailure={close}>
        {opened && <FactorDialog {...opened} isLast={factors.length === 1} onClose={close} />}
      </LazyBoundary>
    </AccountSection>
  )
}

function RecoverySection({ list: { factors, recoveryCodes } }: { list: FactorList }) {
  const [opened, setOpened] = useState<'ask' | string[] | null>(null)
  const close = () => setOpened(null)
  const { left, createdAt } = recoveryCodes
  return (
    <AccountSection {...recoveryTexts}>
      <AccountCard>
        <span>
          {factors.length === 0 ? (
            'Add a passkey or an authenticator app first.'
          ) : (
            <>
              <span className="font-medium tabular-nums">
                {left} of {recoveryCodeCount} left
              </span>
              {createdAt && (
                <span className="text-quiet">
                  , made <Instant value={createdAt} />
                </span>
              )}
            </>
          )}
        </span>
        {factors.length > 0 && (
          <ChangeButton aria-haspopup="dialog" onClick={() => setOpened('ask')}>
            Make New Codes
          </ChangeButton>
        )}
      </AccountCard>
      <LazyBoundary fallback={null} onFailure={close}>
        {opened === 'ask' && <NewCodesDialog onClose={close} onMade={setOpened} />}
        {Array.isArray(opened) && <RecoveryCodesDialog codes={opened} onClose={close} />}
      </LazyBoundary>
    </AccountSection>
  )
}
