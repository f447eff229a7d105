import { useQueryClient } from '@tanstack/react-query'
import { kycReviewRoutes } from '#contract/kyc-reviews.ts'
import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { call, describeChangeRefusal } from '#web/api.ts'
import { showFailure } from '#web/changes/change-toasts.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { renderMemberName } from '#web/members/toast-lines.tsx'
import { toast } from '#web/ui/toast.ts'
import type { CaseClaim } from './use-case-claim.ts'

const send = ({ id, note }: { id: string; note: string | null }) =>
  note === null
    ? call(kycReviewRoutes.endAnotherLook, { params: { id } })
    : call(kycReviewRoutes.askAnotherLook, { params: { id }, body: { note } })

const failure = 'Failed to mark the case for another look'

/** Puts a case aside for a colleague, and back into the queue. The next case opens after the first. */
export function useAnotherLook({ openAfterDecision, openCase, prolong }: CaseClaim) {
  const client = useQueryClient()
  const refetch = () => void client.invalidateQueries({ queryKey: [kycReviewRoutes.verifications.path] })
  // The undo outlives the case, so it is no mutation of this screen.
  const undo = (id: string) =>
    send({ id, note: null }).then(
      () => {
        toast({ title: 'Back in the queue' })
        refetch()
        openCase(id)
      },
      (error: unknown) => showFailure(error, failure),
    )
  const mutation = useSingleMutation({
    mutationFn: send,
    onSuccess: ({ message, verification }, { id, note }) => {
      refetch()
      const isAsked = note !== null
      const action = isAsked && { action: { label: 'Undo', run: () => void undo(id) } }
      toast({ tone: 'success', title: message, description: renderMemberName(verification), ...action })
      if (isAsked) openAfterDecision()
      else prolong()
    },
    onSent: refetch,
    failure,
  })
  return {
    isPending: mutation.isPending,
    refusal: mutation.error && !mutation.isPending ? describeChangeRefusal(mutation.error) : null,
    ask: ({ id }: Verification, note: string) => mutation.mutate({ id, note }),
    end: (id: string) => mutation.mutate({ id, note: null }),
  }
}
