import type { Page } from '@playwright/test'
import { dialog, list, type Screen } from './screen-parts.ts'

const markPaid = 'Mark an order paid by hand'

/** The request of another operator that waits. */
async function openRequest(page: Page) {
  await page.goto('/approvals?view=others')
  await page.getByRole('table').getByRole('link', { name: markPaid }).first().click()
  await page.getByRole('heading', { name: 'What Would Change' }).waitFor()
}

async function openAccount(page: Page) {
  await page.goto('/account')
  await page.getByRole('region', { name: 'Your sessions' }).getByText('This session').waitFor()
  await page.getByRole('region', { name: 'Your authenticator apps' }).waitFor()
}

/** The screens about operators: what one of them needs a second one for, who they are, and what was done. */
export const operatorScreens: Screen[] = [
  list('approvals', 'Approvals', '/approvals', markPaid),
  { name: 'approval', title: 'A request for approval', show: openRequest },
  {
    name: 'approval-dialog',
    title: 'Approve a request',
    show: async (page) => {
      await openRequest(page)
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'order-approval',
    title: 'An order that waits for an approval',
    show: async (page) => {
      await openRequest(page)
      await page.getByRole('main').getByRole('link', { name: /^ORD-/ }).click()
      await page.getByText('Waits for an approval').waitFor()
      // Drawn once the page is there.
      await page.locator('button:enabled', { hasText: 'Save Code' }).waitFor()
    },
  },
  list('approval-rules', 'Approval rules', '/approvals?tab=rules', 'Always'),
  dialog('approval-rule-dialog', 'An approval rule', '/approvals?tab=rules', `Change Rule: ${markPaid}`),
  list('operators', 'Operators', '/operators', 'auditor'),
  dialog('operators-invite-dialog', 'Invite an operator', '/operators', 'Invite Operator'),
  { name: 'account', title: 'Account', show: openAccount },
  {
    name: 'account-sessions',
    title: 'Account: second factors and sessions',
    show: async (page) => {
      await openAccount(page)
      await page.getByRole('button', { name: 'End All Others' }).scrollIntoViewIfNeeded()
    },
  },
  dialog('account-password-dialog', 'Change the own password', '/account', 'Change Password'),
  {
    name: 'security-events',
    title: 'Security Events, and the state of the audit log',
    show: async (page) => {
      await page.goto('/security')
      await page
        .getByRole('table')
        .getByText(/^(Critical|High|Medium|Low)$/)
        .first()
        .waitFor()
      await page.getByText('Audit log intact').waitFor()
    },
  },
  list('security-actions', 'Admin Actions', '/security?tab=actions', 'Signed in'),
]
