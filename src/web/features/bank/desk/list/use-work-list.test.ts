// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useMovedLine } from './use-work-list.ts'

const still = { goneAt: -1, cameId: '' }

/** Shows lists of lines one after another, and says what has moved with the last of them. */
function showLists(...lists: string[]) {
  const [first = [], ...others] = lists.map((ids) => [...ids].map((id) => ({ id })))
  const { result, rerender } = renderHook(useMovedLine, { initialProps: first })
  for (const lines of others) rerender(lines)
  return result
}

test('one line that goes or comes is told, until its row has moved', () => {
  const result = showLists('abc', 'ac')
  expect(result.current).toMatchObject({ goneAt: 1, cameId: '' })
  act(() => result.current.clear())
  expect(result.current).toMatchObject(still)
  expect(showLists('abc', 'ac', 'abc').current).toMatchObject({ goneAt: -1, cameId: 'b' })
})

test('lines that are fetched again leave a row the time to move', () => {
  expect(showLists('abc', 'bc', 'bc').current).toMatchObject({ goneAt: 0 })
  // The first that was beyond the end of the list moves up.
  expect(showLists('abc', 'bcd').current).toMatchObject({ goneAt: 0, cameId: '' })
})

test('another list, more of one, or the end of one moves no row', () => {
  expect(showLists('abc', 'def').current).toMatchObject(still)
  expect(showLists('abc', 'abcdef').current).toMatchObject(still)
  expect(showLists('abc', 'ab').current).toMatchObject(still)
})
