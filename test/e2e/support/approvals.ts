import { createHash, randomBytes } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import type { ApprovalAction } from '#contract/approvals.ts'
import type { ConsoleServer } from './console-server.ts'
import { expect, expectLive, expectToast } from './harness.ts'
import { importMember } from './members.ts'
import { importOrder } from './orders.ts'

/** A page of a second super admin, `e2e-second`. */
export async function openSecond(browser: Browser, server: ConsoleServer): Promise<Page> {
  const token = randomBytes(32).toString('base64url')
  await server.sql(
    `INSERT INTO admins (username, password_hash, role) SELECT 'e2e-second', password_hash, 'super_admin' FROM admins WHERE username = 'ada'
     ON CONFLICT DO NOTHING`,
  )
  await server.sql(
    `INSERT INTO sessions (token_hash, admin_id, ip_address, user_agent)
     SELECT $1, id, '127.0.0.1', 'tests' FROM admins WHERE username = 'e2e-second'`,
    [createHash('sha256').update(token).digest()],
  )
  const context = await browser.newContext({ baseURL: server.url })
  const { hostname: domain } = new URL(server.url)
  await context.addCookies([{ name: 'sid', value: token, domain, path: '/', httpOnly: true, sameSite: 'Strict' }])
  return context.newPage()
}

/** Sets a rule, and takes away what waits from earlier tests. */
export async function setRule(server: ConsoleServer, ...actions: ApprovalAction[]) {
  await server.sql(`DELETE FROM approvals`)
  await server.sql(`DELETE FROM approval_rules`)
  await server.sql(`INSERT INTO approval_rules (action, is_on, changed_by) SELECT unnest($1::text[]), true, 'ada'`, [
    actions,
  ])
}
export const endRules = (server: ConsoleServer) => server.sql('DELETE FROM approval_rules')
export const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))
export const makeOrder = async (server: ConsoleServer) => importOrder(server, await importMember(server))

/** Requests that an order is marked paid, and opens the request. */
export async function requestPaid(page: Page, order: { id: string }) {
  await page.goto(`/orders/${order.id}`)
  // What another operator decides later shows by itself.
  await expectLive(page)
  await page.getByRole('button', { name: 'Mark Paid' }).click()
  await dialog(page).getByRole('textbox').fill('Seen on paper')
  await dialog(page).getByRole('button', { name: 'Request Approval' }).click()
  await expectToast(page, 'Sent for approval', /Nothing is changed until another operator approves it/)
  await expect(dialog(page)).toBeHidden()
  await page.getByRole('note').getByRole('link', { name: 'View request' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mark an order paid by hand')
}
