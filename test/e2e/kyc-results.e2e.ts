import type { APIRequestContext } from '@playwright/test'
import type { ConsoleServer } from './support/console-server.ts'
import { expect, expectAccessible, expectLive, test } from './support/harness.ts'
import { caseName, dialog, table } from './support/kyc-cases.ts'
import { newWord, buildSubmission } from './support/members.ts'

/** A member who submitted; what the sandbox provider finds is told by the last character of the id. */
async function importCase(server: ConsoleServer, lastCharacter: string) {
  const word = newWord()
  const id = `m-${word}${lastCharacter}`
  const email = `${word}@example.com`
  await server.importLines(
    { type: 'member', id, email, legalFirstName: 'Ana', legalLastName: word },
    buildSubmission(id),
  )
  return { id, email, name: `Ana ${word}` }
}

const submit = async (operator: APIRequestContext, id: string) => {
  const reply = await operator.post('/api/kyc/submit-for-verification', { data: { userId: id } })
  expect(await reply.json()).toMatchObject({ success: true })
}

test(`the provider's result shows at once in an open list (product 11.2, 13.4)`, async ({ page, server, operator }) => {
  const one = await importCase(server, '8')
  await page.goto(`/kyc?tab=verifications&search=${one.email}`)
  const row = table(page, 'Verifications').getByRole('row').filter({ hasText: one.email })
  await expect(row).toContainText('Not scored')
  await expectLive(page)
  await submit(operator, one.id)
  await expect(row).toContainText('Pending38')
  await page.getByRole('button', { name: `Approve ${one.name}` }).click()
  await expect(dialog(page)).toContainText('KYC provider: rejected, score 38')
  await expect(dialog(page)).toContainText('The photo on the document is not clear.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: `Review ${one.name}` }).click()
  const says = page.getByRole('definition').filter({ hasText: 'The photo on the document is not clear.' })
  await expect(says).toContainText('Rejected')
  await expect(page.getByText('38 of 100')).toBeVisible()
  await expect(caseName(page)).toHaveText(one.name)
  await page.keyboard.press('a')
  await expect(page.getByText('The KYC provider says rejected.')).toBeVisible()
  await expectAccessible(page)
})

test("the provider's own decision comes without a reload (product 11.2)", async ({ page, server, operator }) => {
  const [auto, reviewed] = [await importCase(server, 'a'), await importCase(server, '9')]
  await page.goto(`/kyc?search=${auto.email}`)
  const row = table(page, 'KYC submissions').getByRole('row').filter({ hasText: auto.email })
  await expect(row).toContainText('Not yet')
  await expectLive(page)
  await submit(operator, auto.id)
  await expect(row).toContainText('Verified')
  await expect(row).toContainText('Auto')
  await page.goto(`/kyc?search=${reviewed.email}`)
  await page.getByRole('link', { name: `Review ${reviewed.name}` }).click()
  await expect(page.getByRole('definition').filter({ hasText: 'Not scored' })).toBeVisible()
  await expectLive(page)
  await submit(operator, reviewed.id)
  await expect(page.getByText('61 of 100')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve' })).toBeEnabled()
})
