// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Button } from './button.tsx'
import { shownToast, toast } from './toast.ts'
import Toaster from './toaster.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  shownToast.set(null)
  act(() => void vi.runAllTimers())
})

const click = (name: string) =>
  fireEvent.click(screen.getByRole('button', { name }), { detail: 1, clientX: 900, clientY: 700 })
const wait = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))

/** A toast with Undo above a button of the page. */
function showUndo() {
  const undo = vi.fn(() => shownToast.set(null))
  const deleteRow = vi.fn()
  render(
    <>
      <Button onClick={deleteRow}>Delete</Button>
      <Toaster />
    </>,
  )
  act(() => toast({ title: 'Token switched off', action: { label: 'Undo', run: undo } }))
  return { undo, deleteRow }
}

test('an Undo that comes up under a double click is not pressed by it', () => {
  const { undo } = showUndo()
  wait(599)
  click('Undo')
  expect(undo).not.toHaveBeenCalled()
  wait(1)
  click('Undo')
  expect(undo).toHaveBeenCalledTimes(1)
})

test('a double click on Undo presses it once and nothing beneath it', () => {
  const { undo, deleteRow } = showUndo()
  wait(600)
  click('Undo')
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  click('Delete')
  expect(undo).toHaveBeenCalledTimes(1)
  expect(deleteRow).not.toHaveBeenCalled()
  wait(600)
  click('Delete')
  expect(deleteRow).toHaveBeenCalledTimes(1)
})

test('an Undo whose answer is awaited is pressed once', () => {
  const { undo } = showUndo()
  undo.mockImplementation(() => {})
  wait(600)
  click('Undo')
  wait(600)
  click('Undo')
  expect(undo).toHaveBeenCalledTimes(1)
})
