import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ApiError, describeChangeRefusal, isOutcomeUnknown } from '#web/api.ts'
import { toast } from '#web/ui/toast.ts'
import { localizeInstants } from '#web/lib/dates.ts'
import { capitalize } from '#web/lib/words.ts'
import type { Failure } from './change-toasts.ts'
import { useSingleMutation } from './use-single-mutation.ts'

export interface Change<Entity, Reply> {
  /** The entity as it was when the dialog opened, or null for a new one. The change is sent with its version. */
  entity: Entity
  /** What is wrong with what was typed, by field. Nothing is sent then. */
  check?: () => Problems
  /** Sends the change with `If-Match`. */
  send: (entity: Entity) => Promise<Reply>
  /** Fetches the entity's present state. */
  fetchFresh?: (entity: Entity, client: QueryClient) => Promise<Entity>
  /** Refetches every list that shows the entity. */
  refetch: (client: QueryClient) => Promise<unknown>
  /** The toast's title (product 9.3). Without it there is none. */
  success?: string | ((reply: Reply) => string)
  /** The toast's second line: what was changed, and to what. */
  describe?: (reply: Reply) => ReactNode
  /** What the toast "Error" says (product 9.3). */
  failure: Failure
  /** Called before anything is fetched again. */
  onReply?: (reply: Reply) => unknown
  /** Closes the dialog, when the lists are as they are now. Without a reply, a second operator approves it first. */
  onDone?: (reply?: Reply) => void
  /** The fields of the dialog, by their names in the call: what a refusal says of them alone stands at them. */
  fields?: readonly string[]
}

/** Whether the entity may be another one now: it was changed, or nobody knows whether it was. */
const isConflict = (error: unknown) => (error instanceof ApiError && error.status === 409) || isOutcomeUnknown(error)

/** Whether the screen behind the dialog is outdated too. */
const isOutdated = (error: unknown) => isConflict(error) || (error instanceof ApiError && error.status === 404)

/**
 * A change of one entity, from a dialog. A refusal keeps the dialog as it is; after a conflict `reload` takes the
 * entity as it is now, and the change can be sent again with what was typed (product 8.4).
 */
export function useChange<Entity, Reply>({
  entity,
  check = () => ({}),
  send,
  fetchFresh = async (same) => same,
  refetch,
  success,
  describe,
  failure,
  onReply,
  onDone,
  fields = [],
}: Change<Entity, Reply>) {
  const client = useQueryClient()
  const [current, setCurrent] = useState(entity)
  const change = useSingleMutation({
    mutationFn: () => send(current),
    failure,
    isRepeatable: !onDone,
    onSuccess: async (reply) => {
      const title = typeof success === 'function' ? success(reply) : success
      if (title) toast({ tone: 'success', title, description: describe?.(reply) })
      onReply?.(reply)
      await refetch(client)
      onDone?.(reply)
    },
    onSent: () => {
      void refetch(client)
      onDone?.()
    },
    onError: (error) => void (isOutdated(error) && refetch(client)),
  })
  const reload = useMutation({
    mutationFn: () => fetchFresh(current, client),
    onSuccess: (fresh) => {
      setCurrent(fresh)
      change.reset()
      void refetch(client)
    },
  })
  const { isFine, refusal, ...problems } = useProblems(check, reload.error ?? change.error, fields)
  const apply = () => void (isFine() && change.mutate())
  return {
    current,
    apply,
    isPending: change.isPending,
    ...problems,
    refusal,
    error: change.error,
    /** What a `FormDialog` shows of the change. */
    form: { onSubmit: apply, pending: change.isPending, refusal },
    conflict: {
      isOffered: isConflict(change.error),
      isReloading: reload.isPending,
      wasReloaded: reload.isSuccess && !change.error,
      reload: () => reload.mutate(),
    },
  }
}

/** What is wrong with what was typed, as it was checked before it was sent, or as a refusal says it. */
function useProblems(check: () => Problems, failed: Error | null, fields: readonly string[]) {
  const [found, setFound] = useState<Problems>({})
  const named = readProblems(failed)
  const isOfFields = Object.keys(named).length > 0 && Object.keys(named).every((field) => fields.includes(field))
  return {
    isFine: () => {
      const problems = check()
      const isFine = Object.values(problems).every((problem) => !problem)
      setFound(isFine ? {} : problems)
      return isFine
    },
    problems: { ...(isOfFields && named), ...found },
    /** Forgets what is wrong with fields that were edited. */
    clearProblems: (edited: object) =>
      setFound((now) => ({ ...now, ...Object.fromEntries(Object.keys(edited).map((field) => [field, undefined])) })),
    /** A refusal that names no field. */
    refusal: failed && !isOfFields ? describeChangeRefusal(failed) : null,
  }
}

export type Conflict = ReturnType<typeof useChange>['conflict']

/** What is wrong, by field. */
export type Problems = Partial<Record<string, string | undefined>>

/** The problems that a refusal names for fields. Empty when it is about something else. */
export function readProblems(error: unknown): Problems {
  const details = error instanceof ApiError ? error.reply?.details : undefined
  if (!Array.isArray(details)) return {}
  const named = details.filter(
    (each: unknown): each is { field: string; message: string } =>
      typeof each === 'object' && each !== null && 'field' in each && 'message' in each,
  )
  return Object.fromEntries(named.map(({ field, message }) => [field, capitalize(localizeInstants(message))]))
}
