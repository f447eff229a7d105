import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ApiError, describeChangeFailure, describeChangeRefusal, isOutcomeUnknown, isUnauthorized } from '#web/api.ts'
import { readProblems } from './read-problems.ts'
import { useSingleMutation } from './use-single-mutation.ts'
import { toast } from '#web/ui/toast.ts'

interface Change<Entity, Reply> {
  /** The entity as it was when the dialog opened. The change is sent with its version. */
  entity: Entity
  /** Sends the change with `If-Match`. */
  send: (entity: Entity) => Promise<Reply>
  /** Fetches the entity's present state. */
  fetchFresh: (entity: Entity, client: QueryClient) => Promise<Entity>
  /** Refetches every list that shows the entity. */
  refetch: (client: QueryClient) => Promise<unknown>
  /** The toast's title (product 9.3). */
  success: string
  /** The toast's second line: what was changed, and to what. */
  describe: (reply: Reply) => ReactNode
  /** What the toast "Error" says (product 9.3). */
  failure: string | ((error: unknown) => string)
  onDone: () => void
  /** The fields of the dialog, by their names in the call: what a refusal says of them alone stands at them. */
  fields?: readonly string[]
}

/**
 * A change of one entity, from a dialog. A refusal keeps the dialog as it is; after a conflict `reload` takes the entity as
 * it is now, and the change can be sent again with what was typed (product 8.4).
 */
export function useChange<Entity, Reply>({
  entity,
  send,
  fetchFresh,
  refetch,
  success,
  describe,
  failure,
  onDone,
  fields = [],
}: Change<Entity, Reply>) {
  const client = useQueryClient()
  const [current, setCurrent] = useState(entity)
  const change = useSingleMutation({
    mutationFn: () => send(current),
    onSuccess: async (reply) => {
      toast({ tone: 'success', title: success, description: describe(reply) })
      await refetch(client)
      onDone()
    },
    onSent: () => {
      void refetch(client)
      onDone()
    },
    onError: (error) => {
      // The screen behind the dialog is outdated too.
      if (error instanceof ApiError && error.status === 409) void refetch(client)
      // The shared handler reports an ended session (product 9.2). No other toast may cover it.
      if (isUnauthorized(error)) return
      const description = describeChangeFailure(error, typeof failure === 'string' ? failure : failure(error))
      toast({ tone: 'destructive', title: 'Error', description })
    },
  })
  const reload = useMutation({
    mutationFn: () => fetchFresh(current, client),
    onSuccess: (fresh) => {
      setCurrent(fresh)
      change.reset()
      void refetch(client)
    },
  })
  const failed = reload.error ?? change.error
  const named = readProblems(failed)
  const isOfFields = Object.keys(named).length > 0 && Object.keys(named).every((field) => fields.includes(field))
  return {
    current,
    apply: () => change.mutate(),
    isPending: change.isPending,
    /** What a refusal says of the fields. */
    problems: isOfFields ? named : {},
    refusal: failed && !isOfFields ? describeChangeRefusal(failed) : null,
    conflict: {
      isOffered: (change.error instanceof ApiError && change.error.status === 409) || isOutcomeUnknown(change.error),
      isReloading: reload.isPending,
      wasReloaded: reload.isSuccess && !change.error,
      reload: () => reload.mutate(),
    },
  }
}
export type Conflict = ReturnType<typeof useChange>['conflict']
