import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Link2, LogOut } from 'lucide-react'
import { useMemo, useState } from 'react'
import { absoluteHours, idleMinutes } from '#contract/auth.ts'
import { oidcRoutes } from '#contract/oidc.ts'
import { roleLabels } from '#contract/permissions.ts'
import type { AccountAdmin, AccountSession } from '#contract/schemas/account.ts'
import { call, describeError } from '#web/api.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { settings } from '#web/lib/settings.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { StaticTable } from '#web/table/static-table.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast.ts'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { AccountCard, AccountSection } from './account-section.tsx'
import { AlertsOfAccount } from './alerts.tsx'
import { Factors } from './factors.tsx'
import { readAccount, sessionsQuery } from './queries.ts'
import { sessionColumns } from './session-columns.tsx'

const EndSessionDialog = lazy(() => import('./end-session-dialog.tsx'))

/** Where the admin is signed in, with the means to end all but this session. */
function Sessions() {
  const query = useQuery(sessionsQuery())
  const { data, error } = query
  const [ending, setEnding] = useState<AccountSession | 'others' | null>(null)
  const username = readAccount(useQueryClient())?.admin.username ?? ''
  const columns = useMemo(() => sessionColumns(username, setEnding), [username])
  const close = () => setEnding(null)
  usePrefetch(data !== undefined, EndSessionDialog)
  if (!data)
    return error ? (
      <LoadFailure what="The sessions" query={query} className="rounded-l border bg-card" />
    ) : (
      <output aria-label="Loading..." className="block">
        <Skeleton className="block h-24 w-full" />
      </output>
    )
  const others = data.sessions.filter(({ isCurrent }) => !isCurrent).length
  return (
    <>
      <RefreshFailure what="The sessions" query={query} className="mb-3" />
      <StaticTable label="Your sessions" columns={columns} rows={data.sessions} rowId={({ id }) => id} />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3 text-13 text-quiet">
        <span>
          {others === 0
            ? 'You are signed in nowhere else.'
            : 'You do not know one of them? End it, and change your password.'}
        </span>
        {others > 0 && (
          <ChangeButton variant="danger" aria-haspopup="dialog" onClick={() => setEnding('others')}>
            <LogOut aria-hidden />
            End All Others
          </ChangeButton>
        )}
      </div>
      <LazyBoundary fallback={null} onFailure={close}>
        {ending && <EndSessionDialog ending={ending} others={others} onClose={close} />}
      </LazyBoundary>
    </>
  )
}

const PasswordDialog = lazy(() => import('./password-dialog.tsx'))

function Password({ username }: { username: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  usePrefetch(true, PasswordDialog)
  return (
    <>
      <AccountCard>
        <span className="flex min-w-0 items-center gap-2.5">
          <KeyRound aria-hidden strokeWidth={1.75} className="size-4 shrink-0 text-quiet" />
          Your current password is needed to change it.
        </span>
        <ChangeButton aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Change Password
        </ChangeButton>
      </AccountCard>
      <LazyBoundary fallback={null} onFailure={close}>
        {isOpen && <PasswordDialog username={username} onClose={close} />}
      </LazyBoundary>
    </>
  )
}

/** The signed-in admin's own account (product 5.15). */
export default function AccountPage() {
  const account = readAccount(useQueryClient())
  if (!account) return null
  const { admin, signInWays } = account
  return (
    <div className="gutter max-w-300 py-6 max-md:py-4">
      <AccountSection title="Profile" description="Who you are in this console and in its log of admin actions.">
        <Profile admin={admin} />
      </AccountSection>
      {settings.provider && (
        <AccountSection title="Single sign-on" description="Sign in with the account of your organisation.">
          <Provider provider={settings.provider} isLinked={signInWays.includes('provider')} />
        </AccountSection>
      )}
      {signInWays.includes('password') && (
        <AccountSection
          title="Password"
          description="A new password signs out every other browser. This one stays signed in."
        >
          <Password username={admin.username} />
        </AccountSection>
      )}
      <Factors />
      <AlertsOfAccount />
      <AccountSection
        title="Sessions"
        description={`Where you are signed in. A session ends after ${idleMinutes} minutes without use, and after ${absoluteHours} hours in all.`}
      >
        <Sessions />
      </AccountSection>
    </div>
  )
}

/** Links the own account to the sign-in provider. The page is left for it. */
function Provider({ provider, isLinked }: { provider: string; isLinked: boolean }) {
  const link = useSingleMutation({
    mutationFn: () => call(oidcRoutes.beginLink),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) =>
      toast({ tone: 'destructive', title: 'The account could not be linked', description: describeError(error) }),
  })
  return (
    <AccountCard>
      <span className="flex min-w-0 items-center gap-2.5">
        <Link2 aria-hidden strokeWidth={1.75} className="size-4 shrink-0 text-quiet" />
        {isLinked ? `Your account is linked to ${provider}.` : `Your account is not linked to ${provider}.`}
      </span>
      {!isLinked && (
        <Button loading={link.isPending} onClick={() => link.mutate()}>
          Link {provider}
        </Button>
      )}
    </AccountCard>
  )
}

/** Who is signed in, in which role, since when there is such an operator, and the last sign-in. */
function Profile({ admin }: { admin: AccountAdmin }) {
  return (
    <div className="rounded-l border bg-card px-4 pt-4 pb-1.5">
      <div className="mb-3 flex min-w-0 items-center gap-3">
        <Avatar big name={admin.username} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-16 font-semibold" title={admin.username}>
            <bdi>{admin.username}</bdi>
          </p>
          <p className="text-13 text-quiet">{roleLabels[admin.role]}</p>
        </div>
      </div>
      <Facts>
        <Fact name="Operator since">
          <Instant value={admin.createdAt} />
        </Fact>
        <Fact name="Last sign-in">
          {admin.lastSignInAt ? <Instant value={admin.lastSignInAt} /> : <MissingValue>Not yet</MissingValue>}
        </Fact>
      </Facts>
    </div>
  )
}
