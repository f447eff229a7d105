// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { ErrorState } from './error-state.tsx'

afterEach(cleanup)

/** A part of a screen that could not be loaded. */
function renderPart() {
  const onRetry = vi.fn()
  const build = (state: 'failed' | 'retrying' | 'loaded') => (
    <main>
      <section aria-label="Wallets">
        {state === 'loaded' ? (
          'No wallets found'
        ) : (
          <ErrorState
            title="The wallets could not be loaded"
            message="The database is away"
            onRetry={onRetry}
            retrying={state === 'retrying'}
          />
        )}
      </section>
    </main>
  )
  const { rerender } = render(build('failed'))
  return { onRetry, show: (state: 'retrying' | 'loaded') => rerender(build(state)) }
}

test('what could not be loaded says why, and is asked for again once a press', async () => {
  const { onRetry, show } = renderPart()
  expect(screen.getByRole('alert').textContent).toBe('The wallets could not be loadedThe database is awayTry Again')
  const again = screen.getByRole('button', { name: 'Try Again' })
  await userEvent.click(again)
  show('retrying')
  await userEvent.click(again)
  expect(again.getAttribute('aria-busy')).toBe('true')
  expect(onRetry).toHaveBeenCalledTimes(1)
})

test('the focus moves from the button to the part that has loaded', async () => {
  const { show } = renderPart()
  await userEvent.tab()
  show('retrying')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Try Again' }))
  show('loaded')
  await Promise.resolve()
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Wallets' }))
})

test('a focus elsewhere stays where it is', async () => {
  const { show } = renderPart()
  const other = document.body.appendChild(document.createElement('button'))
  other.focus()
  show('loaded')
  await Promise.resolve()
  expect(document.activeElement).toBe(other)
  other.remove()
})
