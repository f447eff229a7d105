// @vitest-environment jsdom
import { cleanup, fireEvent, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useShortcuts } from './use-shortcuts.ts'

afterEach(cleanup)

test('a shortcut acts by its physical key on a layout without Latin letters', () => {
  const next = vi.fn()
  renderHook(() => useShortcuts({ n: next }))
  fireEvent.keyDown(document.body, { key: 'т', code: 'KeyN' })
  expect(next).toHaveBeenCalledOnce()
})
