// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Button } from './button.tsx'
import { useSinglePress } from './single-press.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  act(() => void vi.runAllTimers())
})

/** A click of the mouse. A key press has no place and no count. */
const click = (name: string, clientX = 100) =>
  fireEvent.click(screen.getByRole('button', { name }), { detail: 1, clientX, clientY: 40 })
const pressKey = (name: string) => fireEvent.click(screen.getByRole('button', { name }), { detail: 0 })
const wait = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))

/** A button that begins a change, and another that may stand in its place by the second click. */
function renderButtons() {
  const begin = vi.fn<(end: () => void) => void>()
  const pressOther = vi.fn()
  function Buttons() {
    const { press, restingProps } = useSinglePress()
    return (
      <>
        <Button {...restingProps} onClick={(event) => press(event, begin)}>
          Switch off
        </Button>
        <Button onClick={pressOther}>Delete</Button>
      </>
    )
  }
  render(<Buttons />)
  return { begin, pressOther, end: () => act(() => begin.mock.lastCall![0]()) }
}

test('both clicks of a double click begin one change, by mouse and by key', () => {
  const { begin } = renderButtons()
  click('Switch off')
  click('Switch off')
  pressKey('Switch off')
  expect(begin).toHaveBeenCalledTimes(1)
})

test('a button rests until 600 ms after the answer', () => {
  const { begin, end } = renderButtons()
  const button = screen.getByRole('button', { name: 'Switch off' })
  click('Switch off')
  wait(60_000)
  click('Switch off')
  end()
  wait(599)
  click('Switch off')
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(begin).toHaveBeenCalledTimes(1)
  wait(1)
  expect(button.getAttribute('aria-disabled')).toBeNull()
  click('Switch off')
  expect(begin).toHaveBeenCalledTimes(2)
})

test('the second click presses nothing that stands at its place for 600 ms', () => {
  const { pressOther } = renderButtons()
  click('Switch off')
  click('Delete')
  wait(599)
  click('Delete', 116)
  expect(pressOther).not.toHaveBeenCalled()
  wait(1)
  click('Delete')
  expect(pressOther).toHaveBeenCalledTimes(1)
})

test('a click elsewhere and a key press another button at once', () => {
  const { pressOther } = renderButtons()
  click('Switch off')
  click('Delete', 117)
  pressKey('Delete')
  expect(pressOther).toHaveBeenCalledTimes(2)
})

test('after a press by key a click at once presses another button', () => {
  const { pressOther } = renderButtons()
  pressKey('Switch off')
  click('Delete')
  expect(pressOther).toHaveBeenCalledTimes(1)
})
