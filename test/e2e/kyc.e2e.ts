import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectLive, test } from './support/harness.ts'
import { importCase, findCaseWithDocuments, dialog, table } from './support/kyc-cases.ts'
import { importMember, newWord, buildSubmission } from './support/members.ts'

const submissions = (page: Page) => table(page, 'KYC submissions')
const verifications = (page: Page) => table(page, 'Verifications')
const cards = (page: Page) => page.getByRole('region', { name: 'KYC figures' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const findRow = (page: Page, list: string, email: string) =>
  table(page, list).getByRole('row').filter({ hasText: email })

test('KYC Management: four cards, five tabs and every submission (product 5.9)', async ({ page, server, operator }) => {
  const one = await importCase(server)
  await page.goto(`/kyc?search=${one.email}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('KYC Management')
  await expect(page.getByRole('tab')).toHaveText([
    'KYC Submissions',
    'Verifications',
    'Step 2 History',
    'Step 3 History',
    'Step 4 History',
  ])
  const figures = await (await operator.get('/api/kyc/analytics')).json()
  const count = (figure: number) => figure.toLocaleString('en-US')
  await expect(cards(page)).toContainText(`Total KYC Submissions${count(figures.totalSubmissions)}`)
  await expect(cards(page)).toContainText(`Under Review${count(figures.underReview)}`)
  await expect(cards(page)).toContainText(`Approved${count(figures.approved)}`)
  await expect(cards(page)).toContainText(
    `Processing Type${count(figures.manual)} Manual / ${count(figures.auto)} Auto`,
  )
  await expect(submissions(page).getByRole('columnheader')).toHaveText([
    'User',
    'Email',
    'Attempt',
    'Result',
    'Processing',
    'Case id',
    'Submitted',
    'Actions',
  ])
  const row = submissions(page).getByRole('row').nth(1)
  await expect(row.getByRole('cell')).toHaveText(
    [
      new RegExp(`${one.name}$`),
      one.email,
      '1',
      'Under Review',
      'Not yet',
      /\S/,
      'Feb 01, 2026 at 10:00',
      /^View\s+Review\s+Approve$/,
    ],
    { useInnerText: true },
  )
  await expect(row.getByRole('button', { name: /^Copy case id/ })).toBeVisible()
  await expect(row.getByRole('link', { name: `Review ${one.name}` })).toHaveAttribute(
    'href',
    new RegExp(`review=${one.verification}$`),
  )

  // The focus is never under the actions, which stay in sight where the table scrolls sideways.
  await page.setViewportSize({ width: 1200, height: 800 })
  const copy = row.getByRole('button', { name: /^Copy case id/ })
  await copy.focus()
  const isOnTop = (element: Element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  }
  await expect.poll(() => copy.evaluate(isOnTop)).toBe(true)
  await page.setViewportSize({ width: 1024, height: 768 })
  await expect(submissions(page).getByRole('columnheader', { name: 'Case id' })).toBeVisible()
  await expect(row.getByText(one.email).filter({ visible: true })).toHaveCount(1)
  await row.getByRole('link', { name: one.name, exact: true }).press('Enter')
  await expect(page).toHaveURL(`/users/${one.id}`)
})

test('the dashboard leads to exactly those who wait for a decision (product 5.1, 5.2)', async ({ page, operator }) => {
  const { pendingKyc } = await (await operator.get('/api/analytics')).json()
  await page.goto('/')
  await page.getByRole('link', { name: /^Pending KYC/ }).click()
  await expect(page).toHaveURL('/kyc?tab=verifications&status=pending')
  await expect(page.getByText(`Showing 1 to 50 of ${pendingKyc} entries`)).toBeVisible()
  await expect(verifications(page).getByText('Pending', { exact: true })).toHaveCount(50)
  await expect(page.getByRole('link', { name: `Start Review ${pendingKyc} waiting` })).toHaveAttribute(
    'href',
    '/kyc?tab=verifications&status=pending&review=next',
  )
})

test('Verifications: score, document type, nationality and who reviews the case (product 5.9)', async ({
  page,
  server,
  operator,
}) => {
  const one = await importCase(server)
  await page.goto(`/kyc?tab=verifications&search=${one.email}`)
  await expect(verifications(page).getByRole('columnheader')).toHaveText([
    'Select',
    'User',
    'Email',
    'Status',
    'KYC Score',
    'Document Type',
    'Nationality',
    'Submitted',
    'Actions',
  ])
  const row = findRow(page, 'Verifications', one.email)
  await expect(row.getByRole('cell')).toHaveText(
    [
      '',
      new RegExp(`${one.name}$`),
      one.email,
      'Pending',
      'Not scored',
      'None',
      'Portugal',
      'Feb 01, 2026 at 10:00',
      /^Review\s+Approve\s+Reject$/,
    ],
    { useInnerText: true },
  )
  await expectLive(page)
  expect((await operator.post(`/api/kyc/cases/${one.verification}/claim`)).ok()).toBe(true)
  await expect(row).toContainText('joan is reviewing')
  await button(page, `Reject ${one.name}`).click()
  await expect(dialog(page)).toContainText('joan has this case open in review mode.')
  await page.keyboard.press('Escape')
  await expect(row.getByRole('link', { name: `Review ${one.name}` })).toHaveAttribute(
    'href',
    new RegExp(`^/kyc\\?tab=verifications&.*review=${one.verification}$`),
  )

  // To grace herself, whose page this is, it says nothing of her own review mode.
  await server.sql(
    `UPDATE kyc_claims SET admin_id = (SELECT id FROM admins WHERE username = 'grace') WHERE verification_id = $1`,
    [one.verification],
  )
  await page.setViewportSize({ width: 1200, height: 800 })
  await page.reload()
  await expect(row).toContainText('grace is reviewing')
  // Where the table scrolls sideways its actions stay in sight.
  await expect(button(page, `Reject ${one.name}`)).toBeInViewport({ ratio: 1 })
  await button(page, `Reject ${one.name}`).click()
  await expect(dialog(page).getByLabel('Rejection reason')).toBeFocused()
  await expect(dialog(page)).not.toContainText('review mode')
})

test("Step 2, 3 and 4 History: each attempt's data and its documents (product 5.9)", async ({ page, server }) => {
  const one = await findCaseWithDocuments(server)
  await page.goto(`/kyc?tab=step2&search=${one.email}`)
  await expect(table(page, 'Step 2 history').getByRole('columnheader')).toHaveText([
    'User',
    'Attempt',
    'Date of birth',
    'Nationality',
    'Country of residence',
    'Status',
    'Submitted',
  ])
  await expect(findRow(page, 'Step 2 history', one.email).first()).toContainText(one.name)
  await page.goto(`/kyc?tab=step3&search=${one.email}`)
  await expect(table(page, 'Step 3 history').getByRole('columnheader')).toHaveText([
    'User',
    'Attempt',
    'Document type',
    'Front',
    'Back',
    'Status',
    'Submitted',
  ])
  const step3 = findRow(page, 'Step 3 history', one.email).first()
  await step3.getByRole('button', { name: /^View Identity back, attempt \d+ of / }).click()
  await expect(
    dialog(page).getByRole('img', { name: new RegExp(`^Identity back, attempt .*${one.name}`) }),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(step3.getByRole('button', { name: /^View Identity back/ })).toBeFocused()
  await page.goto(`/kyc?tab=step4&search=${one.email}`)
  await findRow(page, 'Step 4 history', one.email)
    .first()
    .getByRole('button', { name: /^View Selfie/ })
    .click()
  await expect(dialog(page).getByRole('img', { name: /^Selfie, attempt/ })).toBeVisible()
})

test('tab, search, filter and page stand in the address, and only the open tab asks (product 4.3)', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const [, list] = /\/api\/kyc\/([\w-]+-history)/.exec(request.url()) ?? []
    if (list) asked.push(list)
  })
  await page.goto('/kyc?tab=nothing&status=worst&page=2&search=example')
  await expect(page.getByText(/^Showing 51 to 100 of 1,\d{3} entries$/)).toBeVisible()
  await page.getByRole('tab', { name: 'Step 2 History' }).click()
  await expect(page).toHaveURL('/kyc?tab=step2')
  const filter = page.getByRole('combobox', { name: 'Status filter' })
  await expect(filter.getByRole('option')).toHaveText([
    'All Status',
    'Draft',
    'Submitted',
    'Verified',
    'Rejected',
    'Reset',
  ])
  await filter.selectOption('Rejected')
  await expect(page).toHaveURL('/kyc?tab=step2&status=rejected')
  const rows = table(page, 'Step 2 history').getByRole('row')
  await expect(rows.nth(1)).toContainText('Rejected')
  await expect(rows.filter({ hasNotText: 'Rejected' })).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search by email or name' }).fill('nobody at all')
  await expect(table(page, 'Step 2 history')).toContainText('No history found')
  await page.reload()
  await expect(table(page, 'Step 2 history')).toContainText('No history found')
  await page.goBack()
  await expect(rows.nth(1)).toContainText('Rejected')
  expect(new Set(asked)).toEqual(new Set(['submission-history', 'step2-history']))
})

test('axe finds nothing on any tab and the dialog, wide and narrow (product 3.8)', async ({ page, server }) => {
  // One word finds a few rows, some of them with long and right-to-left names.
  const word = newWord()
  const long = 'Wolfeschlegelsteinhausenbergerdorff-Ramanathapuram'
  const waiting = await importCase(server, { legalFirstName: 'ليلى', legalLastName: `الهاشمي ${word}` })
  const rejected = await importMember(server, { legalFirstName: long, legalLastName: `${long} ${word}` })
  await server.importLines(buildSubmission(rejected.id, { result: 'rejected', reason: 'Blurred' }))
  const tabs = ['submissions', 'verifications', 'step2', 'step3', 'step4']
  const open = async (tab: string) => {
    const search = ['step3', 'step4'].includes(tab) ? (await findCaseWithDocuments(server)).email : word
    await page.goto(`/kyc?tab=${tab}&search=${search}`)
    await expect(page.getByRole('row').nth(1)).toContainText(/\d{4} at/)
    await expectAccessible(page)
  }
  for (const tab of tabs) await open(tab)
  await page.goto(`/kyc?tab=verifications&search=${word}`)
  await button(page, `Reject ${waiting.name}`).click()
  await expect(dialog(page).getByLabel('Rejection reason')).toBeFocused()
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  for (const tab of ['verifications', 'step3']) {
    await open(tab)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  }
})
