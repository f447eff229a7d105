import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError, isUnauthorized, serverMessage } from '#web/api.ts'
import { toast } from '#web/ui/toast.ts'

interface Change<Entity> {
  /** What is changed, as it was when the dialog opened: its version is what the change is meant for. */
  entity: Entity
  /** Sends the change with `If-Match`. */
  send: (entity: Entity) => Promise<unknown>
  /** Asks for it again, as it is now. */
  fetchFresh: (entity: Entity, client: QueryClient) => Promise<Entity>
  /** Fetches again every list that shows it. */
  refetch: (client: QueryClient) => Promise<unknown>
  /** The toast's title (SPEC section 8). */
  success: string
  /** What the toast "Error" says (SPEC section 8). */
  failure: string | ((error: unknown) => string)
  onDone: () => void
}

/**
 * A change of one entity, from a dialog. A refusal keeps the dialog as it is; after a conflict `reload` takes the entity as
 * it is now, and the change can be sent again with what was typed (PRODUCT 3.22).
 */
export function useChange<Entity>({ entity, send, fetchFresh, refetch, success, failure, onDone }: Change<Entity>) {
  const client = useQueryClient()
  const [current, setCurrent] = useState(entity)
  // Known at once, where `isPending` waits for the next render: a double click sends one change.
  const isSent = useRef(false)
  const change = useMutation({
    mutationFn: () => send(current),
    onSuccess: async () => {
      toast({ tone: 'success', title: success })
      await refetch(client)
      onDone()
    },
    onError: (error) => {
      isSent.current = false
      // A session that has ended is told by the shared handler (SPEC section 8); no other toast covers it.
      if (isUnauthorized(error)) return
      const description = typeof failure === 'string' ? failure : failure(error)
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
  return {
    current,
    apply: () => {
      if (isSent.current) return
      isSent.current = true
      change.mutate()
    },
    isPending: change.isPending,
    refusal: failed ? serverMessage(failed) : null,
    conflict: {
      isOffered: change.error instanceof ApiError && change.error.status === 409,
      isReloading: reload.isPending,
      wasReloaded: reload.isSuccess && !change.error,
      reload: () => reload.mutate(),
    },
  }
}
export type Conflict = ReturnType<typeof useChange>['conflict']
