// @vitest-environment jsdom
import { act, cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSecondPress } from './use-second-press.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function Approval({ isNeeded, onApprove }: { isNeeded: boolean; onApprove: () => void }) {
  const secondPress = useSecondPress(isNeeded)
  const { label, isEarly } = secondPress.nameAction({ label: 'Approve' })
  return (
    <button type="button" aria-disabled={isEarly} onClick={() => secondPress.press(onApprove)}>
      {label}
    </button>
  )
}

function renderApproval(isNeeded: boolean) {
  const onApprove = vi.fn()
  const { rerender } = render(<Approval isNeeded={isNeeded} onApprove={onApprove} />)
  return { onApprove, change: (now: boolean) => rerender(<Approval isNeeded={now} onApprove={onApprove} />) }
}

const button = () => screen.getByRole('button')
const press = () => {
  fireEvent.pointerDown(button())
  fireEvent.click(button())
}
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

test('where nothing is missing the first press approves', () => {
  const { onApprove } = renderApproval(false)
  press()
  expect(onApprove).toHaveBeenCalledTimes(1)
})

test('the second press counts from a second after the first', () => {
  const { onApprove } = renderApproval(true)
  press()
  expect(button().textContent).toBe('Approve anyway')
  pass(990)
  press()
  expect(button().getAttribute('aria-disabled')).toBe('true')
  expect(onApprove).not.toHaveBeenCalled()
  pass(10)
  expect(button().getAttribute('aria-disabled')).toBe('false')
  press()
  expect(onApprove).toHaveBeenCalledTimes(1)
})

test('a press that began within the second does not count, the next one does', () => {
  const { onApprove } = renderApproval(true)
  press()
  fireEvent.pointerDown(button())
  pass(1000)
  fireEvent.click(button())
  expect(onApprove).not.toHaveBeenCalled()
  press()
  expect(onApprove).toHaveBeenCalledTimes(1)
})

test('a held key does not press again', () => {
  renderApproval(true)
  fireEvent.keyDown(button(), { key: 'Enter' })
  fireEvent.click(button())
  pass(1000)
  const repeated = createEvent.keyDown(button(), { key: 'Enter', repeat: true })
  fireEvent(button(), repeated)
  expect(repeated.defaultPrevented).toBe(true)
})

test('what comes on screen after the warning ends it', () => {
  const { onApprove, change } = renderApproval(true)
  press()
  pass(1000)
  change(false)
  expect(button().textContent).toBe('Approve')
  press()
  expect(onApprove).toHaveBeenCalledTimes(1)
})
