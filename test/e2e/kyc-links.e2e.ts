import { expect, expectAccessible, test } from './support/harness.ts'
import { caseName, importCase } from './support/kyc-cases.ts'
import { importMember } from './support/members.ts'

test('a case says what the member has in common with others, and leads there (product 5.10)', async ({
  page,
  server,
  operator,
}) => {
  const legalPhone = '+49 30 5550 1477'
  const other = await importMember(server, { legalFirstName: 'Mara', legalLastName: 'Quill', legalPhone })
  await operator.post(`/api/users/${other.id}/ban`, { data: { reason: 'Chargeback fraud' } })
  const opened = await importCase(server, {
    legalFirstName: 'Nora',
    legalLastName: 'Quill',
    legalPhone: '0049 305550 1477',
  })
  await page.goto(`/kyc?review=${opened.verification}`)
  await expect(caseName(page)).toHaveText('Nora Quill')
  const known = page.getByRole('region', { name: /Entered by member/ })
  await expect(known.getByText('Same phone number as')).toBeVisible()
  await expect(known.getByRole('listitem').last()).toHaveText(/^Mara Quill\s*Banned\s*on .+: Chargeback fraud$/)
  await expectAccessible(page)
  await known.getByRole('link', { name: 'Mara Quill' }).click()
  await expect(page).toHaveURL(`/users/${other.id}?tab=kyc`)
  await expect(page.getByText('Same phone number as')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Nora Quill' })).toBeVisible()
})
