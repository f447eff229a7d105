import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { TokenKind } from '#contract/token-kinds.ts'
import { tokenRoutes } from '#contract/tokens.ts'
import type { Token } from '#contract/schemas/tokens.ts'
import { call, describeChangeFailure, isUnauthorized, describeError } from '#web/api.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
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

/** After an answer the button says the opposite; the second click of a double click must not take the first one back. */
const restMs = 600

/** That it failed, and in the server's words why. */
function describeFailure(error: unknown): string {
  const [failure, reason] = [describeChangeFailure(error, 'Failed to update token status'), describeError(error)]
  return failure === reason ? failure : `${failure}. ${reason}`
}

/** Switches a token on or off (product 7.5), from the state the operator sees: another's change meanwhile is a refusal. */
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
      // Nothing appears above the table: a button that moves under the pointer would switch another token.
      toast({ tone: 'destructive', title: 'Error', description: describeFailure(error) })
      await refetchTokens(client)
    },
  })
  const [isResting, setResting] = useState(false)
  function press() {
    if (isResting) return
    flushSync(() => setResting(true))
    change.mutate(
      { isActive: !isActive, version, isUndo: false },
      { onSettled: () => setTimeout(() => setResting(false), restMs) },
    )
  }
  const verb = isActive ? 'Deactivate' : 'Activate'
  return (
    <ChangeButton
      size="small"
      variant={isActive ? 'hover-danger' : 'default'}
      loading={change.isPending}
      aria-label={`${verb} ${describeToken(token)}`}
      {...(isResting && { 'aria-disabled': true })}
      onClick={press}
      className="min-w-23"
    >
      {verb}
    </ChangeButton>
  )
}
