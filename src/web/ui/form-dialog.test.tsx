// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { discardQuestion } from '#web/lib/unsaved.ts'
import { FormDialog } from './form-dialog.tsx'

afterEach(cleanup)

interface Given {
  tone?: 'primary' | 'danger'
  disabled?: boolean
  pending?: boolean
}

function renderDialog(given: Given = {}) {
  const onSubmit = vi.fn()
  const onClose = vi.fn()
  const build = ({ tone = 'primary', disabled = false, pending = false }: Given) => (
    <FormDialog
      title="Ban Ana?"
      action={{ label: 'Ban User', tone, disabled }}
      onSubmit={onSubmit}
      onClose={onClose}
      pending={pending}
    >
      <input aria-label="Reason" />
    </FormDialog>
  )
  const { rerender } = render(build(given))
  return { onSubmit, onClose, change: (changed: Given) => rerender(build({ ...given, ...changed })) }
}

const press = (keys: string) => userEvent.keyboard(keys)
const clickAction = () => userEvent.click(screen.getByRole('button', { name: 'Ban User' }))
const answer = (isDiscarded: boolean) => act(async () => discardQuestion.get()!(isDiscarded))

test('the field has the focus, and Enter in it sends', async () => {
  const { onSubmit } = renderDialog()
  await press('Fraud{Enter}')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Reason' }).value).toBe('Fraud')
  expect(onSubmit).toHaveBeenCalledTimes(1)
})

test('a dangerous action takes its button, or Ctrl with Enter', async () => {
  const { onSubmit } = renderDialog({ tone: 'danger' })
  await press('{Enter}')
  expect(onSubmit).not.toHaveBeenCalled()
  await press('{Control>}{Enter}{/Control}')
  expect(onSubmit).toHaveBeenCalledTimes(1)
  await clickAction()
  expect(onSubmit).toHaveBeenCalledTimes(2)
})

for (const given of [{ disabled: true }, { pending: true }])
  test(`nothing is sent while the action is ${Object.keys(given)[0]}, by button or key`, async () => {
    const { onSubmit } = renderDialog(given)
    await clickAction()
    await press('{Enter}{Control>}{Enter}{/Control}')
    expect(onSubmit).not.toHaveBeenCalled()
  })

test('Escape closes what was not typed in, and asks before typed text is lost', async () => {
  const { onClose } = renderDialog()
  await press('Fraud{Escape}')
  await answer(false)
  expect(onClose).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await answer(true)
  expect(onClose).toHaveBeenCalledTimes(1)
  cleanup()
  const untouched = renderDialog()
  await press('  {Escape}')
  expect(untouched.onClose).toHaveBeenCalledTimes(1)
})

test('what is being sent is not asked about, and the open question is withdrawn', async () => {
  const { onClose, change } = renderDialog()
  await press('Fraud{Escape}')
  expect(discardQuestion.get()).not.toBeNull()
  await act(async () => change({ pending: true }))
  expect(discardQuestion.get()).toBeNull()
  await press('{Escape}')
  expect(discardQuestion.get()).toBeNull()
  expect(onClose).not.toHaveBeenCalled()
})
