// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { CopyButton } from './copy-button.tsx'

afterEach(cleanup)

/** A page over plain http, whose browser copies by its command alone, or not at all. */
function renderOverHttp(execCommand: () => boolean) {
  render(<CopyButton text="0xabc" label="Copy address" />)
  const press = userEvent.click(screen.getByRole('button'))
  Object.assign(navigator, { clipboard: undefined })
  Object.assign(document, { execCommand })
  return press
}

test('over plain http the browser’s command copies the text', async () => {
  let copied = ''
  await renderOverHttp(() => {
    const event = new Event('copy', { cancelable: true })
    const clipboardData = { setData: (_type: string, text: string) => (copied = text) }
    return !document.dispatchEvent(Object.assign(event, { clipboardData }))
  })
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
  expect(copied).toBe('0xabc')
})

test('where nothing can be copied the button says so', async () => {
  await renderOverHttp(() => false)
  expect(await screen.findByRole('button', { name: 'Could not copy' })).toBeTruthy()
})
