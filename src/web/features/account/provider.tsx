import { Link2 } from 'lucide-react'
import { oidcRoutes } from '#contract/oidc.ts'
import { call, describeError } from '#web/api.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'
import { AccountCard } from './account-section.tsx'

/** Links the own account to the sign-in provider. The page is left for it. */
export function Provider({ provider, isLinked }: { provider: string; isLinked: boolean }) {
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
