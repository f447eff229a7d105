import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { messageRoutes } from '#contract/messages.ts'
import type { Resent } from '#contract/schemas/messages.ts'
import { call, isUnauthorized, describeError } from '#web/api.ts'
import { toast } from '#web/ui/toast.ts'
import { refetchMessages } from './queries.ts'

const key = 'resend-messages'

/**
 * Sends a message again. While one such call is under way, wherever it was started, no other starts. A refusal is told in
 * a toast, or where it was asked, by `refusal`.
 */
export function useResend(place: string, { isToldThere = false } = {}) {
  const client = useQueryClient()
  const resend = useMutation({
    mutationKey: [key, place],
    mutationFn: (id: string) => call(messageRoutes.resend, { body: { ids: [id] } }),
    onError: (error) => {
      if (!isToldThere && !isUnauthorized(error))
        toast({ tone: 'destructive', title: 'Resend Failed', description: describeError(error) })
    },
    onSuccess: ({ message }: Resent) => toast({ tone: 'success', title: 'Messages Queued', description: message }),
    onSettled: (_reply, error) => (isUnauthorized(error) ? undefined : refetchMessages(client)),
  })
  return {
    /** Whether this place started the call. */
    isPending: useIsMutating({ mutationKey: [key, place], exact: true }) > 0,
    refusal: resend.error && !isUnauthorized(resend.error) ? describeError(resend.error) : null,
    isLocked: useIsMutating({ mutationKey: [key] }) > 0,
    start: (id: string, onTaken?: () => void) => {
      // The cache knows at once, so that a double click sends once.
      if (client.isMutating({ mutationKey: [key] }) === 0) resend.mutate(id, { onSuccess: () => onTaken?.() })
    },
  }
}
