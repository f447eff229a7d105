import { expect, test } from './support/harness.ts'

const count = (value: number) => value.toLocaleString('en-US')

test('each card of KYC Webhooks leads to the attempts it counts', async ({ page, operator }) => {
  const stats = await (await operator.get('/api/kyc/webhook-stats')).json()
  for (const [name, place, total] of [
    ['Successful', '/kyc-webhooks?status=success', stats.successfulAttempts],
    ['Failed', '/kyc-webhooks?status=failed', stats.failedAttempts],
    ['Success Rate', '/kyc-webhooks?status=success', stats.successfulAttempts],
    ['Total Attempts', '/kyc-webhooks', stats.totalAttempts],
  ] as const) {
    await page.goto('/kyc-webhooks')
    await page
      .getByRole('region', { name: 'KYC webhook figures' })
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .click()
    await expect(page).toHaveURL(place)
    await expect(page.getByText(new RegExp(`${count(total)} attempts?$`))).toBeVisible()
  }
  await page.goto('/kyc-webhooks?status=failed')
  await page.getByRole('button', { name: 'Remove filter: Failed attempts' }).click()
  await expect(page).toHaveURL('/kyc-webhooks')
})

test('Total Transactions and the largest volume lead to the transfers behind them', async ({ page, operator }) => {
  const figures = await (await operator.get('/api/blockchain-transactions/figures')).json()
  const [{ tokenAddress, tokenSymbol }] = figures.volumes
  await page.goto('/transactions?status=failed')
  const cards = page.getByRole('region', { name: 'Transaction figures' })
  await cards.getByRole('link', { name: /^Total Transactions/ }).click()
  await expect(page).toHaveURL('/transactions')
  await expect(page.getByText(`of ${count(figures.total)} entries`)).toBeVisible()
  await cards.getByRole('link', { name: new RegExp(`${tokenSymbol}$`) }).click()
  await expect(page).toHaveURL(`/transactions?status=completed&token=${tokenAddress}`)
  const query = `status=completed&tokenAddress=${tokenAddress}&limit=1`
  const { total } = await (await operator.get(`/api/blockchain-transactions?${query}`)).json()
  await expect(page.getByText(`of ${count(total)} entries`)).toBeVisible()
  const tokens = page.getByRole('combobox', { name: 'Token filter' })
  await expect(tokens.locator('option:checked')).toHaveText(tokenSymbol)
  await tokens.selectOption('All Tokens')
  await expect(page).toHaveURL('/transactions?status=completed')
})
