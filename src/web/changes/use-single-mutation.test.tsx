// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useSingleMutation } from './use-single-mutation.ts'

afterEach(cleanup)

/** A dialog's mutation whose calls the test answers. */
function renderMutation() {
  const answers: PromiseWithResolvers<string>[] = []
  const send = vi.fn(() => {
    const answer = Promise.withResolvers<string>()
    answers.push(answer)
    return answer.promise
  })
  const client = new QueryClient()
  const { result } = renderHook(() => useSingleMutation({ mutationFn: send }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  return { result, send, answers, press: () => act(() => result.current.mutate()) }
}

test('a double click sends one call, and none follows once it has succeeded', async () => {
  const { result, send, answers, press } = renderMutation()
  // Both come before the next render.
  const { mutate } = result.current
  act(() => {
    mutate()
    mutate()
  })
  await waitFor(() => expect(send).toHaveBeenCalledTimes(1))
  answers[0]!.resolve('done')
  await waitFor(() => expect(result.current.isSuccess).toBe(true))
  press()
  expect(result.current.isPending).toBe(false)
  expect(send).toHaveBeenCalledTimes(1)
})

test('what failed can be sent again', async () => {
  const { result, send, answers, press } = renderMutation()
  press()
  await waitFor(() => expect(send).toHaveBeenCalledTimes(1))
  answers[0]!.reject(new Error('The database is away'))
  await waitFor(() => expect(result.current.isError).toBe(true))
  press()
  await waitFor(() => expect(send).toHaveBeenCalledTimes(2))
})
