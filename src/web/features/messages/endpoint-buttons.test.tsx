// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import { SwitchButton, TestButton } from './endpoint-buttons.tsx'

afterEach(cleanup)

const endpoint: Endpoint = {
  id: '2',
  name: 'Billing',
  isFromSettings: false,
  host: 'billing.example.com',
  types: null,
  isOn: true,
  state: 'untried',
  pausedAt: null,
  failingSince: null,
  lastSuccessAt: null,
  waiting: 0,
  oldestWaitingAt: null,
  failed: 0,
  secrets: 1,
  secretSetAt: null,
  version: 1,
  createdAt: '2026-03-01T10:00:00.000Z',
}

for (const [name, Tested, path, clientX] of [
  ['Switch Off Billing', SwitchButton, '/api/endpoints/2', 100],
  ['Test Billing', TestButton, '/api/endpoints/2/test', 200],
] as const)
  test(`a double click on ${name} sends one call`, async () => {
    const fetched = vi.fn((_path: string) => new Promise<Response>(() => {}))
    vi.stubGlobal('fetch', fetched)
    render(
      <QueryClientProvider client={new QueryClient()}>
        <Tested endpoint={endpoint} />
      </QueryClientProvider>,
    )
    const button = screen.getByRole('button', { name })
    fireEvent.click(button, { detail: 1, clientX })
    fireEvent.click(button, { detail: 2, clientX })
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'))
    fireEvent.click(button, { detail: 3, clientX })
    expect(fetched.mock.calls.map(([each]) => each)).toEqual([path])
  })
