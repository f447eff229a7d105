import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TokenKind } from '#contract/token-kinds.ts'
import { tokenRoutes } from '#contract/tokens.ts'
import type { Token } from '#contract/schemas/tokens.ts'
import { call, changeFailure, isUnauthorized, serverMessage } from '#web/api.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { toast } from '#web/ui/toast.ts'
import { refetchTokens } from './queries.ts'
import { describeToken } from './words.ts'

interface TokenToggleProps {
  kind: TokenKind
  token: Token
  /** The server's refusal in its own words; null when a new try begins. */
  onRefusal: (message: string | null) => void
}

/** The state a token is switched to, and the version it is switched from. */
interface Switch {
  isActive: boolean
  version: number
  isUndo: boolean
}

/** Switches a token on or off (product 7.5), from the state the operator sees: another's change meanwhile is a refusal. */
export function TokenToggle({ kind, token, onRefusal }: TokenToggleProps) {
  const { id, isActive, version } = token
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (to: Switch) =>
      call(tokenRoutes.setActive, { params: { kind, id }, body: { isActive: to.isActive }, ifMatch: to.version }),
    onMutate: () => onRefusal(null),
    onSuccess: async ({ token: changed }, { isUndo }) => {
      toast({
        tone: 'success',
        title: 'Token status updated successfully',
        description: `${describeToken(changed)} · ${changed.isActive ? 'Active' : 'Inactive'}`,
        // One click has switched it; one click takes that back.
        ...(!isUndo && {
          action: {
            label: 'Undo',
            run: () => change.mutate({ isActive: !changed.isActive, version: changed.version, isUndo: true }),
          },
        }),
      })
      await refetchTokens(client)
    },
    onError: async (error) => {
      if (isUnauthorized(error)) return
      toast({ tone: 'destructive', title: 'Error', description: changeFailure(error, 'Failed to update token status') })
      onRefusal(serverMessage(error))
      await refetchTokens(client)
    },
  })
  const verb = isActive ? 'Deactivate' : 'Activate'
  return (
    <ChangeButton
      size="small"
      variant={isActive ? 'hover-danger' : 'default'}
      loading={change.isPending}
      aria-label={`${verb} ${describeToken(token)}`}
      onClick={() => change.mutate({ isActive: !isActive, version, isUndo: false })}
      className="min-w-23"
    >
      {verb}
    </ChangeButton>
  )
}
