import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { User } from '#contract/users.ts'
import { ApiError, isUnauthorized, serverMessage } from '#web/api.ts'
import { toast } from '#web/ui/toast.ts'
import { refetchUsers, userQuery } from './queries.ts'

interface UserChange {
  /** The member as the operator saw them when the dialog opened: its version is what the change is meant for. */
  user: User
  /** Sends the change with `If-Match`. */
  send: (user: User) => Promise<{ message: string }>
  /** Toast titles of SPEC section 8: success, and what "Error" says. */
  success: string
  failure: string
  onDone: () => void
}

/**
 * A change of a member, from a dialog. A refusal keeps the dialog as it is; after a conflict `reload` takes the member
 * as they are now, and the change can be sent again with what was typed (PRODUCT 3.22).
 */
export function useUserChange({ user, send, success, failure, onDone }: UserChange) {
  const client = useQueryClient()
  const [current, setCurrent] = useState(user)
  // Known at once, where `isPending` waits for the next render: a double click sends one change.
  const isSent = useRef(false)
  const change = useMutation({
    mutationFn: () => send(current),
    onSuccess: async () => {
      toast({ tone: 'success', title: success })
      await refetchUsers(client)
      onDone()
    },
    onError: (error) => {
      isSent.current = false
      // A session that has ended is told by the shared handler (SPEC section 8); no other toast covers it.
      if (!isUnauthorized(error)) toast({ tone: 'destructive', title: 'Error', description: failure })
    },
  })
  const reload = useMutation({
    mutationFn: () => client.fetchQuery({ ...userQuery(current.id), staleTime: 0 }),
    onSuccess: (fresh) => {
      setCurrent(fresh.user)
      change.reset()
      void refetchUsers(client)
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
export type Conflict = ReturnType<typeof useUserChange>['conflict']
