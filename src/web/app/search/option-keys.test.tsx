// @vitest-environment jsdom
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the options of a combobox */
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRef, type RefObject } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { useOptionKeys } from './option-keys.ts'

afterEach(cleanup)

interface OptionsProps {
  box: RefObject<HTMLElement | null>
  onOpen: () => void
}

function Options({ box, onOpen }: OptionsProps) {
  useOptionKeys(box, 'first', false, { isWaiting: false, onChoose: () => {} })
  return (
    <button type="button" role="option" aria-selected id="first" onClick={onOpen}>
      Start KYC Review
    </button>
  )
}

test('the Enter that confirms characters of an input method opens nothing', () => {
  const open = vi.fn()
  function Search() {
    const box = useRef<HTMLDivElement>(null)
    return (
      <div ref={box}>
        <input />
        <Options box={box} onOpen={open} />
      </div>
    )
  }
  render(<Search />)
  // As Safari sends it, after the end of the composition.
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter', keyCode: 229 })
  expect(open).not.toHaveBeenCalled()
})

test('Enter opens the active option, also of a search that comes with its options', () => {
  const open = vi.fn()
  const submit = vi.fn()
  function Search() {
    const box = useRef<HTMLDivElement>(null)
    return (
      <div ref={box}>
        <form onSubmit={submit}>
          <input />
        </form>
        <Options box={box} onOpen={open} />
      </div>
    )
  }
  render(<Search />)
  // False: the input's form is not sent.
  expect(fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter' })).toBe(false)
  expect(open).toHaveBeenCalledOnce()
  expect(submit).not.toHaveBeenCalled()
})
