// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '#web/api.ts'
import { shownToast } from '#web/ui/toast.ts'
import { useChange } from './use-change.ts'

afterEach(() => {
  cleanup()
  shownToast.set(null)
})

const away = new ApiError(503, '{"message":"The database is away","code":"database_unavailable"}')
const stale = new ApiError(409, '{"message":"This order is cancelled (set by joan)","code":"stale"}')
const signedOut = new ApiError(401, '{"message":"Unauthorized","code":"unauthorized"}')

/** A change of version 1 of an order, of which the console has version 2 by now. */
function renderChange({ staysOpen = false, problem }: { staysOpen?: boolean; problem?: string } = {}) {
  const send = vi.fn((order: { version: number }) => Promise.resolve(order))
  const refetch = vi.fn(() => Promise.resolve())
  const onDone = vi.fn()
  const client = new QueryClient()
  const { result } = renderHook(
    () =>
      useChange({
        entity: { version: 1 },
        check: () => ({ url: problem }),
        send,
        fetchFresh: () => Promise.resolve({ version: 2 }),
        refetch,
        success: 'Order Updated',
        describe: ({ version }) => `version ${version}`,
        failure: 'Failed to update order status',
        ...(!staysOpen && { onDone }),
        fields: ['url'],
      }),
    { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> },
  )
  const apply = () => act(() => result.current.apply())
  return { result, send, refetch, onDone, apply }
}

test('a failure raises its toast, keeps the words of the server, and can be sent again', async () => {
  const { result, send, refetch, onDone, apply } = renderChange()
  send.mockRejectedValueOnce(away)
  apply()
  await waitFor(() => expect(result.current.refusal).toBe('The database is away'))
  expect(shownToast.get()).toMatchObject({ title: 'Error', description: 'Failed to update order status' })
  expect(result.current.conflict.isOffered).toBe(false)
  expect(onDone).not.toHaveBeenCalled()
  apply()
  await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1))
  expect(shownToast.get()).toMatchObject({ title: 'Order Updated', description: 'version 1' })
  expect(refetch).toHaveBeenCalledTimes(1)
})

test('a change of a button that stays on the screen can be made again', async () => {
  const { result, send, refetch, apply } = renderChange({ staysOpen: true })
  apply()
  await waitFor(() => expect(refetch).toHaveBeenCalledTimes(1))
  await waitFor(() => expect(result.current.isPending).toBe(false))
  apply()
  await waitFor(() => expect(send).toHaveBeenCalledTimes(2))
})

test('after a conflict the change is reloaded, and sent with the version that stands (product 8.4)', async () => {
  const { result, send, refetch, onDone, apply } = renderChange()
  send.mockRejectedValueOnce(stale)
  apply()
  await waitFor(() => expect(result.current.conflict.isOffered).toBe(true))
  expect(result.current.refusal).toBe('This order is cancelled (set by joan)')
  // The screen behind the dialog shows what stands too.
  expect(refetch).toHaveBeenCalledTimes(1)
  act(() => result.current.conflict.reload())
  await waitFor(() => expect(result.current.conflict.wasReloaded).toBe(true))
  expect(result.current.conflict.isOffered).toBe(false)
  expect(result.current.refusal).toBeNull()
  expect(result.current.current).toEqual({ version: 2 })
  apply()
  await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1))
  expect(send.mock.calls.map(([order]) => order.version)).toEqual([1, 2])
})

test('a session that has ended raises no toast of the change', async () => {
  const { result, send, apply } = renderChange()
  send.mockRejectedValueOnce(signedOut)
  apply()
  await waitFor(() => expect(result.current.refusal).toMatch(/^Your sign-in had ended/))
  expect(shownToast.get()).toBeNull()
})

test('a field found wrong before anything is sent says so until it is edited', async () => {
  const { result, send, apply } = renderChange({ problem: 'Required' })
  apply()
  expect(result.current.problems).toEqual({ url: 'Required' })
  expect(send).not.toHaveBeenCalled()
  act(() => result.current.clearProblems({ url: '' }))
  expect(result.current.problems['url']).toBeUndefined()
})

test('what a refusal says of a field of the dialog stands at the field', async () => {
  const { result, send, apply } = renderChange()
  const refuse = (field: string) => {
    const details = [{ field, message: 'leads off this machine' }]
    const reply = { message: `${field}: leads off this machine`, code: 'invalid', details }
    send.mockRejectedValueOnce(new ApiError(400, JSON.stringify(reply)))
    apply()
  }
  refuse('url')
  await waitFor(() => expect(result.current.problems).toEqual({ url: 'Leads off this machine' }))
  expect(result.current.refusal).toBeNull()
  refuse('types')
  await waitFor(() => expect(result.current.refusal).toBe('types: leads off this machine'))
  expect(result.current.problems).toEqual({})
})
