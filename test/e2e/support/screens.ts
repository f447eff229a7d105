import type { Page } from '@playwright/test'
import type { ConsoleServer } from './console-server.ts'
import { importExtremeRows, type ExtremeRows } from './extreme-rows.ts'
import { expect, test } from './harness.ts'

/** Screens that hold a list, by name, with their address. */
export const listScreens = {
  'the dashboard': '/',
  users: '/users',
  orders: '/orders',
  'bank lines to do': '/reconciliation',
  'bank lines': '/reconciliation?tab=lines',
  'bank statements': '/reconciliation?tab=statements',
  'bank imports': '/reconciliation?tab=imports',
  'refunds due': '/reconciliation?tab=lines&attention=refund_due',
  'earning tokens': '/tokens',
  'chain transactions': '/transactions',
  'platform transactions': '/transactions?tab=platform',
  treasury: '/transactions?tab=treasury',
  'KYC submissions': '/kyc',
  verifications: '/kyc?tab=verifications',
  'step 2 history': '/kyc?tab=step2',
  'step 3 history': '/kyc?tab=step3',
  'step 4 history': '/kyc?tab=step4',
  'KYC attempts': '/kyc-webhooks',
  'the delivery log': '/kyc-webhooks?tab=deliveries',
  endpoints: '/kyc-webhooks?tab=endpoints',
  'security events': '/security',
  'admin actions': '/security?tab=actions',
  operators: '/operators',
  approvals: '/approvals?status=all',
  'approval rules': '/approvals?tab=rules',
  'bulk jobs': '/bulk',
  'the own account': '/account',
  'a list without hits': `/users?status=banned&search=${'zzzz'.repeat(40)}`,
  'an address without a page': '/nowhere',
}

/** Opens a screen and waits until everything has come: no row, figure or part is still loading. */
export async function openScreen(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty()
  await expect(page.getByText('Loading...')).toHaveCount(0)
  await expect(page.getByRole('main')).toContainText(/\S/)
}

const brought = new WeakMap<ConsoleServer, Promise<ExtremeRows>>()
/** A test on a console whose lists hold the longest and shortest values there are. */
export const rowsTest = test.extend<{ extreme: ExtremeRows }>({
  extreme: async ({ server, operator }, use) => {
    if (!brought.has(server)) brought.set(server, importExtremeRows(server, operator))
    await use(await brought.get(server)!)
  },
})
