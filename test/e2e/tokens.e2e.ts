import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectToast, test } from './support/harness.ts'
import { newWord } from './support/members.ts'
import { findRow, importToken, newAddress, rows, table, toggle } from './support/tokens.ts'

const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add Token' })

test('Token Management: two tabs with their counts and all columns (product 5.7)', async ({ page, server }) => {
  const plain = await importToken(server, { kind: 'fractions', decimals: 6, isActive: false })
  const linked = await importToken(server, {
    logo: '☀️',
    projectLink: 'https://solar.example/park',
    createdAt: '2026-01-05T09:07:00Z',
  })
  await page.goto('/')
  await page.getByRole('link', { name: 'Token Management' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Token Management')
  await expect(tab(page, 'Earning Tokens')).toHaveAttribute('aria-selected', 'true')
  await expect(table(page).getByRole('columnheader')).toHaveText([
    'Logo',
    'Project',
    'Symbol',
    'Decimals',
    'Contract Address',
    'Status',
    'Created',
    'Actions',
  ])
  await expect(findRow(page, linked.projectName)).toBeVisible()
  await expect(tab(page, 'Earning Tokens')).toHaveText(`Earning Tokens${await rows(page).count()}`)
  const { contractAddress } = linked
  const short = `${contractAddress.slice(0, 6)}…${contractAddress.slice(-4)}`
  const cells = findRow(page, linked.projectName).getByRole('cell')
  await expect(cells.nth(0)).toHaveText('☀️')
  await expect(cells.nth(2)).toContainText('SOLR')
  await expect(cells.nth(3)).toContainText('18')
  await expect(cells.nth(4)).toContainText(short)
  await expect(cells.nth(5)).toHaveText('Active')
  await expect(cells.nth(6)).toContainText('Jan 05, 2026 at 09:07')
  await expect(cells.nth(4).getByRole('button', { name: `Copy contract address ${short}` })).toBeVisible()
  const link = cells.nth(1).getByRole('link', { name: `${linked.projectName} (website, opens in a new tab)` })
  await expect(link).toHaveAttribute('href', 'https://solar.example/park')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')

  await tab(page, 'Fractions Tokens').click()
  await expect(page).toHaveURL('/tokens?tab=fractions')
  await page.reload()
  const fraction = findRow(page, plain.projectName).getByRole('cell')
  await expect(fraction.nth(0)).toHaveText('🧩')
  await expect(fraction.nth(1).getByRole('link')).toHaveCount(0)
  await expect(fraction.nth(3)).toContainText('6')
  await expect(fraction.nth(5)).toHaveText('Inactive')
  await expect(findRow(page, linked.projectName)).toHaveCount(0)
  await page.goBack()
  await expect(findRow(page, linked.projectName)).toBeVisible()
})

test('Add token shows each problem beside its field and keeps what was typed (product 9.5)', async ({
  page,
  server,
}) => {
  const present = await importToken(server)
  await page.goto('/tokens')
  await page.getByRole('button', { name: 'Add Token' }).click()
  await expect(page).toHaveURL('/tokens?add=true')
  const field = (label: string) => dialog(page).getByLabel(label)
  const add = dialog(page).getByRole('button', { name: 'Add Token' })
  await expect(field('Project Name')).toBeFocused()
  await expect(field('Decimals')).toHaveValue('18')
  await add.click()
  await expectToast(page, 'Validation Error', 'Please fill in all required fields.')
  for (const label of ['Project Name', 'Token Symbol', 'Contract Address'])
    await expect(field(label)).toHaveAccessibleDescription('Required')
  await expect(field('Project Name')).toBeFocused()

  await field('Project Name').fill('Second Project')
  await field('Token Symbol').fill('two')
  await field('Contract Address').fill('0x12')
  await field('Decimals').fill('19')
  await field('Logo').fill('abc')
  await field('Project Website').fill('javascript:alert(1)')
  await add.click()
  await expect(field('Contract Address')).toHaveAccessibleDescription('Must be 0x and 40 hexadecimal digits')
  await expect(field('Decimals')).toBeFocused()
  await expect(field('Decimals')).toHaveAccessibleDescription('Must be a whole number from 0 to 18')
  await expect(field('Logo')).toHaveAccessibleDescription(/Must have at most 2 characters/)
  await expect(field('Project Website')).toHaveAccessibleDescription(/Must be an http or https address/)

  // Typing mends its own field only, and never moves the focus to the next wrong one.
  await field('Project Name').pressSequentially('!!')
  await expect(field('Project Name')).toHaveValue('!!Second Project')
  await field('Decimals').fill('8')
  await expect(field('Decimals')).toHaveAccessibleDescription('')
  await field('Logo').fill('')
  await field('Project Website').fill('')
  await field('Contract Address').fill('0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
  await add.click()
  await expectToast(page, 'Error', 'Failed to create token')
  await expect(field('Contract Address')).toHaveAccessibleDescription('Does not match its EIP-55 checksum')
  await field('Contract Address').fill(present.contractAddress)
  await add.click()
  await expect(field('Contract Address')).toHaveAccessibleDescription(
    new RegExp(`as ${present.projectName} \\(SOLR\\)`),
  )
  await expect(field('Project Name')).toHaveValue('!!Second Project')
  await expect(field('Token Symbol')).toHaveValue('two')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add Token' })).toBeFocused()
})

test('a fractions token is added under its tab with its defaults, by keyboard alone (product 9.5, 8.2, 9.3)', async ({
  page,
}) => {
  const name = `Project ${newWord()}`
  const contractAddress = newAddress()
  await page.goto('/tokens?tab=fractions')
  await page.getByRole('button', { name: 'Add Token' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Project Name')).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  await page.keyboard.type('abc')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(contractAddress)
  const sent = page.waitForRequest('**/api/tokens/fractions')
  await page.keyboard.press('Enter')
  expect((await sent).postDataJSON()).toEqual({
    logo: '🧩',
    projectName: name,
    projectLink: '',
    contractAddress,
    tokenSymbol: 'ABC',
    decimals: 18,
    isActive: true,
  })
  await expectToast(page, 'Token created successfully')
  await expect(dialog(page)).toBeHidden()
  await expect(page).toHaveURL('/tokens?tab=fractions')
  await expect(rows(page).first()).toContainText(name)
  await expect(rows(page).first()).toContainText('ABC')
})

test('axe finds nothing on the list and in the dialog (product 3.8)', async ({ page }) => {
  await page.goto('/tokens?tab=fractions')
  await expect(toggle(page, 'Deactivate', 'Alentejo Solar Park')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add Token' }).click()
  await dialog(page).getByRole('button', { name: 'Add Token' }).click()
  await expect(dialog(page).getByText('Required').first()).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})
