import { useMutation, useQueryClient } from '@tanstack/react-query'
import { endpointRoutes } from '#contract/endpoints.ts'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import { call, isUnauthorized } from '#web/api.ts'
import { describeWithReason, showFailure } from '#web/changes/change-toasts.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { useSinglePress } from '#web/ui/single-press.ts'
import { toast } from '#web/ui/toast.ts'
import { refetchEndpoints, takesEvents } from './endpoints.ts'

/** A change that one press makes. Its toast names the endpoint; a refusal says why, and the list is fetched again. */
function usePress({ endpoint, send, success }: { endpoint: Endpoint; send: () => Promise<unknown>; success: string }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () => toast({ tone: 'success', title: success, description: endpoint.name }),
    onError: (error) => showFailure(error, describeWithReason(error, 'The change failed')),
    onSettled: (_reply, error) => (isUnauthorized(error) ? undefined : refetchEndpoints(client)),
  })
}

/** Sends a test event. */
export function TestButton({ endpoint }: { endpoint: Endpoint }) {
  const { id, name } = endpoint
  const test = usePress({
    endpoint,
    send: () => call(endpointRoutes.test, { params: { id } }),
    success: 'Test event sent',
  })
  const { press, restingProps } = useSinglePress()
  return (
    <ChangeButton
      size="small"
      loading={test.isPending}
      disabled={!takesEvents(endpoint)}
      aria-label={`Test ${name}`}
      {...restingProps}
      onClick={(event) => press(event, (end) => test.mutate(undefined, { onSettled: end }))}
    >
      Test
    </ChangeButton>
  )
}

/** Resumes an endpoint that is paused; else switches it on or off, from the state that the operator sees. */
export function SwitchButton({ endpoint }: { endpoint: Endpoint }) {
  const { id, name, isOn, state, version } = endpoint
  const isPaused = state === 'paused'
  const change = usePress({
    endpoint,
    send: () =>
      isPaused
        ? call(endpointRoutes.resume, { params: { id } })
        : call(endpointRoutes.update, { params: { id }, body: { isOn: !isOn }, ifMatch: version }),
    success: isPaused ? 'Events go out again' : isOn ? 'Endpoint switched off' : 'Endpoint switched on',
  })
  const { press, restingProps } = useSinglePress()
  const verb = isPaused ? 'Resume' : isOn ? 'Switch Off' : 'Switch On'
  return (
    <ChangeButton
      size="small"
      loading={change.isPending}
      aria-label={`${verb} ${name}`}
      {...restingProps}
      onClick={(event) => press(event, (end) => change.mutate(undefined, { onSettled: end }))}
      className="min-w-22"
    >
      {verb}
    </ChangeButton>
  )
}
