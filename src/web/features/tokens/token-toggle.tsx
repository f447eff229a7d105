import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TokenKind } from '#contract/token-kinds.ts'
import { tokenRoutes } from '#contract/tokens.ts'
import type { Token } from '#contract/schemas/tokens.ts'
import { call, isUnauthorized } from '#web/api.ts'
import { describeWithReason, showFailure, showSentForApproval } from '#web/changes/change-toasts.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { useSinglePress } from '#web/ui/single-press.ts'
import { toast } from '#web/ui/toast.ts'
import { refetchTokens } from './queries.ts'
import { describeToken } from './describe-token.ts'

interface TokenToggleProps {
  kind: TokenKind
  token: Token
}

/** The state a token is switched to, and the version it is switched from. */
interface Switch {
  isActive: boolean
  version: number
  isUndo: boolean
}

/** Switches a token on or off (product 7.5) with the version that is shown, so that another's change is refused. */
export function TokenToggle({ kind, token }: TokenToggleProps) {
  const { id, isActive, version } = token
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (to: Switch) =>
      call(tokenRoutes.setActive, { params: { kind, id }, body: { isActive: to.isActive }, ifMatch: to.version }),
    onSuccess: async ({ token: changed }, { isUndo }) => {
      toast({
        tone: 'success',
        title: 'Token status updated successfully',
        description: `${describeToken(changed)} · ${changed.isActive ? 'Active' : 'Inactive'}`,
        // A click needs no confirmation, since Undo reverts it.
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
      if (showSentForApproval(error) || isUnauthorized(error)) return
      // A toast instead of a note above the table, which would move other tokens under the pointer.
      showFailure(error, describeWithReason(error, 'Failed to update token status'))
      await refetchTokens(client)
    },
  })
  const { press, restingProps } = useSinglePress()
  const verb = isActive ? 'Deactivate' : 'Activate'
  return (
    <ChangeButton
      size="small"
      variant={isActive ? 'hover-danger' : 'default'}
      loading={change.isPending}
      aria-label={`${verb} ${describeToken(token)}`}
      {...restingProps}
      onClick={(event) =>
        press(event, (end) => change.mutate({ isActive: !isActive, version, isUndo: false }, { onSettled: end }))
      }
      className="min-w-23"
    >
      {verb}
    </ChangeButton>
  )
}
