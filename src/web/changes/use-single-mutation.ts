import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Failure, showFailure, showSentForApproval } from './change-toasts.ts'

interface SingleMutationOptions<Data, Variables> extends UseMutationOptions<Data, Error, Variables> {
  /** What the toast "Error" says (product 9.3). Without it there is none. */
  failure?: Failure
  /** A second operator approves it first (product 2.11): the dialog closes, and nothing is changed yet. */
  onSent?: () => void
  /** What sends it stays on the screen, and may send it again after a success. */
  isRepeatable?: boolean
}
type SingleMutation<Data, Variables> = Omit<UseMutationResult<Data, Error, Variables>, 'mutateAsync'>

/**
 * A mutation for a dialog that closes with its success: `mutate` does nothing while a call is under way and after one has
 * succeeded. `isPending` changes with the next render, which on a busy machine comes after the second click of a double click.
 */
export function useSingleMutation<Data, Variables = void>({
  failure,
  onSuccess,
  onError,
  onSent,
  isRepeatable = false,
  ...options
}: SingleMutationOptions<Data, Variables>): SingleMutation<Data, Variables> {
  const isSent = useRef(false)
  const { mutate, ...mutation } = useMutation<Data, Error, Variables>({
    ...options,
    onSuccess: async (...answer) => {
      await onSuccess?.(...answer)
      if (isRepeatable) isSent.current = false
    },
    onError: (...answer) => {
      if (showSentForApproval(answer[0])) return onSent?.()
      isSent.current = false
      if (failure) showFailure(answer[0], failure)
      return onError?.(...answer)
    },
  })
  return {
    ...mutation,
    mutate: (...given) => {
      if (isSent.current) return
      isSent.current = true
      mutate(...given)
    },
  }
}
