import { useMutation, useQueryClient } from '@tanstack/react-query'
import { tokenRoutes, type Token, type TokenKind } from '#contract/tokens.ts'
import { call, isUnauthorized, serverMessage } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'
import { refetchTokens } from './queries.ts'

interface TokenToggleProps {
  kind: TokenKind
  token: Token
  /** The server's refusal in its own words; null when a new try begins. */
  onRefusal: (message: string | null) => void
}

/** Switches a token on or off (SPEC section 4), from the state the operator sees: another's change meanwhile is a refusal. */
export function TokenToggle({
  kind,
  token: { id, isActive, version, projectName, tokenSymbol },
  onRefusal,
}: TokenToggleProps) {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: () =>
      call(tokenRoutes.setActive, { params: { kind, id }, body: { isActive: !isActive }, ifMatch: version }),
    onMutate: () => onRefusal(null),
    onSuccess: async () => {
      toast({ tone: 'success', title: 'Token status updated successfully' })
      await refetchTokens(client)
    },
    onError: async (error) => {
      if (isUnauthorized(error)) return
      toast({ tone: 'destructive', title: 'Error', description: 'Failed to update token status' })
      onRefusal(serverMessage(error))
      await refetchTokens(client)
    },
  })
  const verb = isActive ? 'Deactivate' : 'Activate'
  return (
    <Button
      size="small"
      variant={isActive ? 'hover-danger' : 'default'}
      loading={change.isPending}
      aria-label={`${verb} ${projectName} (${tokenSymbol})`}
      onClick={() => change.mutate()}
      className="min-w-23"
    >
      {verb}
    </Button>
  )
}
