// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setFocusSuccessor } from '#web/lib/focus-successor.ts'
import { Dialog } from './dialog.tsx'
import { TypeAheadBuffer } from './type-ahead-buffer.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  act(() => void vi.runAllTimers())
})

const wait = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))
const isOpen = () => screen.queryByRole('dialog') !== null
const readFocused = () => document.activeElement?.textContent
const pressEscape = () => fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
function clickOutside() {
  const scrim = document.querySelector('.bg-scrim')!
  fireEvent.pointerDown(scrim)
  fireEvent.click(scrim)
}

/** A page with a button that opens the dialog, which has been pressed. */
function openDialog({ locked = false, children }: { locked?: boolean; children?: ReactNode } = {}) {
  function Page() {
    const [isShown, setShown] = useState(false)
    return (
      <>
        <main tabIndex={-1}>
          <button type="button" onClick={() => setShown(true)}>
            Ban
          </button>
          <input aria-label="Search" />
        </main>
        {isShown && (
          <Dialog title="Ban Ana?" locked={locked} onClose={() => setShown(false)}>
            <button type="button">Cancel</button>
            {children}
          </Dialog>
        )}
      </>
    )
  }
  render(<Page />)
  const opener = screen.getByRole('button', { name: 'Ban' })
  opener.focus()
  fireEvent.click(opener)
  // Clicks outside are heard from the next task on.
  wait(1)
}

test('the first control has the focus, and Escape gives it back to the opener', () => {
  openDialog()
  expect(readFocused()).toBe('Cancel')
  pressEscape()
  wait(1)
  expect(isOpen()).toBe(false)
  expect(readFocused()).toBe('Ban')
})

test('what has taken the place of an opener that is gone gets the focus', () => {
  openDialog()
  const next = screen.getByRole('textbox', { name: 'Search', hidden: true })
  const opener = screen.getByRole('button', { name: 'Ban', hidden: true })
  setFocusSuccessor(opener, () => next)
  opener.remove()
  pressEscape()
  wait(1)
  expect(document.activeElement).toBe(next)
})

test('who begins to type elsewhere once it is gone keeps the focus', () => {
  openDialog()
  pressEscape()
  const search = screen.getByRole('textbox', { name: 'Search' })
  search.focus()
  wait(1)
  expect(document.activeElement).toBe(search)
})

test('a click outside within 600 ms, as of a double click, closes nothing', () => {
  openDialog()
  // One has passed before it heard of clicks.
  wait(598)
  clickOutside()
  expect(isOpen()).toBe(true)
  wait(1)
  clickOutside()
  expect(isOpen()).toBe(false)
})

test('neither Escape nor a click outside closes a dialog that is sending', () => {
  openDialog({ locked: true })
  wait(1000)
  pressEscape()
  clickOutside()
  expect(isOpen()).toBe(true)
})

test('keys work at once in a dialog without a field whose code came late', () => {
  const pressed: string[] = []
  const { rerender } = render(<TypeAheadBuffer />)
  fireEvent.keyDown(document.body, { key: 'Enter' })
  rerender(
    <Dialog title="Withdraw?" role="alertdialog" onClose={() => {}}>
      <button type="button" onKeyDown={({ key }) => pressed.push(key)}>
        Withdraw
      </button>
    </Dialog>,
  )
  expect(readFocused()).toBe('Withdraw')
  expect(fireEvent.keyDown(document.activeElement!, { key: 'Enter' })).toBe(true)
  expect(pressed).toEqual(['Enter'])
})
