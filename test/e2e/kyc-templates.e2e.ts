import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { importCases, button, caseName, reason, readVerification } from './support/kyc-cases.ts'

const templates = (page: Page) => page.getByRole('dialog', { name: 'Templates' })

test('a reason is saved as a template, and added to the next case, by keys (product 5.10)', async ({
  page,
  server,
}) => {
  const [one, next] = await importCases(server, 2)
  await page.goto(`/kyc?review=${one.verification}`)
  await expect(button(page, 'Approve')).toBeEnabled()
  await page.keyboard.press('r')
  await page.keyboard.press('Alt+t')
  await expect(templates(page)).toContainText('There are no templates yet. Write a reason, and save it as one.')
  await expect(button(page, 'Save as Template…')).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(templates(page)).toHaveCount(0)
  await expect(reason(page)).toBeFocused()
  await page.keyboard.type('Das Foto ist unscharf. <b>Bitte neu</b>')
  await page.keyboard.press('Alt+t')
  await expect(templates(page).getByLabel('Search templates')).toBeFocused()
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  const form = page.getByRole('dialog', { name: 'Save as Template' })
  await expect(form.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Blurred')
  await form.getByLabel('Language').selectOption('German')
  await expectAccessible(page)
  await form.getByLabel('Name').focus()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Template Saved')
  await expect(form).toHaveCount(0)
  await expect(reason(page)).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(caseName(page)).toHaveText(next!.name)
  await page.keyboard.press('r')
  await page.keyboard.press('Alt+2')
  await page.keyboard.press('Alt+t')
  const row = templates(page)
    .getByRole('region', { name: 'Own templates' })
    .getByRole('button', { name: /^Blurred/ })
  await expect(row).toHaveText('BlurredGermanDas Foto ist unscharf. <b>Bitte neu</b>')
  await expectAccessible(page)
  await page.keyboard.type('unsch')
  await page.keyboard.press('ArrowDown')
  await expect(row).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(reason(page)).toBeFocused()
  await page.keyboard.type('2 mal')
  await page.keyboard.press('Control+Enter')
  await expect(caseName(page)).not.toHaveText(next!.name)
  expect(await readVerification(server, next!.verification)).toMatchObject({
    status: 'rejected',
    reason: 'The document has expired. Please upload a valid one. Das Foto ist unscharf. <b>Bitte neu</b> 2 mal',
  })
})

test('a colleague’s shared template shows at once, is narrowed by language and changed (product 5.10)', async ({
  page,
  server,
  operator,
}) => {
  const [one] = await importCases(server, 1)
  const share = async (name: string, language: string) => {
    const data = { name, language, text: `${name}!`, isShared: true }
    return (await (await operator.post('/api/reason-templates', { data })).json()).template
  }
  const shared = templates(page).getByRole('region', { name: 'Shared templates' })
  await page.goto(`/kyc?review=${one.verification}`)
  await expect(button(page, 'Approve')).toBeEnabled()
  await page.keyboard.press('r')
  await page.keyboard.press('Alt+t')
  const { id } = await share('Flou', 'fr')
  await share('Mosso', 'it')
  await expect(shared.getByRole('button', { name: /^(?:Flou|Mosso)/ })).toHaveCount(2)
  await templates(page).getByLabel('Language of templates').selectOption('Italian')
  await expect(shared.getByRole('button', { name: /^Flou/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(reason(page)).toBeFocused()
  await page.reload()
  await expect(button(page, 'Approve')).toBeEnabled()
  await page.keyboard.press('r')
  await button(page, 'Templates').click()
  await expect(templates(page).getByLabel('Language of templates')).toHaveValue('it')
  await templates(page).getByLabel('Language of templates').selectOption('All languages')
  await shared.getByRole('button', { name: 'Edit Flou' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Template' })
  await form.getByLabel('Text, as the member reads it').fill('La photo est floue.')
  await operator.patch(`/api/reason-templates/${id}`, { data: { name: 'Trouble', text: 'Photo floue.' } })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('alert')).toContainText('This template was changed meanwhile.')
  await form.getByRole('button', { name: 'Reload' }).click()
  await expect(form.getByRole('alert')).toContainText('It now says “Photo floue.”')
  await form.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Template Saved')
  await expect(reason(page)).toBeFocused()
  await button(page, 'Templates').click()
  await shared.getByRole('button', { name: 'Edit Trouble' }).click()
  await button(page, 'Delete Template').click()
  await expectToast(page, 'Template Deleted')
  await expect(form).toHaveCount(0)
  await page.keyboard.press('Alt+t')
  await expect(shared.getByRole('button', { name: /^Mosso/ })).toBeVisible()
  await expect(shared.getByRole('button', { name: /^Trouble/ })).toHaveCount(0)
})
