import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { describeChangeFailure, isUnauthorized } from '#web/api.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { toast } from '#web/ui/toast.ts'

/** Fetches again what the Account screen shows. */
export const refetchAccount = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [first] }) => typeof first === 'string' && first.startsWith('/api/account/'),
  })

interface AccountChange<Given, Reply> {
  send: (given: Given) => Promise<Reply>
  onDone: (reply: Reply) => void
  /** What the toast "Error" says. */
  failure: string
}

/** A change of the own account, from a dialog. A refusal keeps the dialog as it is. */
export function useAccountChange<Given, Reply>({ send, onDone, failure }: AccountChange<Given, Reply>) {
  const client = useQueryClient()
  return useSingleMutation<Reply, Given>({
    mutationFn: send,
    onSuccess: async (reply) => {
      onDone(reply)
      await refetchAccount(client)
    },
    onError: (error) => {
      // The shared handler reports an ended session (product 9.2). No other toast may cover it.
      if (isUnauthorized(error)) return
      toast({ tone: 'destructive', title: 'Error', description: describeChangeFailure(error, failure) })
    },
  })
}
