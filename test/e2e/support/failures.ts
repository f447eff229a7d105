import type { Page } from '@playwright/test'

/** The data that the catalogue's failures use. */
export interface FailureData {
  member: { id: string; name: string; email: string }
  banned: { id: string; name: string; email: string }
  orderId: string
  project: string
  withDocuments: string
  /** In the description of a security event. */
  eventWord: string
}
interface Failure {
  /** The call that fails, and how it is answered; `abort` is not an answer at all. */
  call: string
  reply: { status: number; body: string } | 'abort'
  open: (world: FailureData) => string
  act: (page: Page, world: FailureData) => Promise<unknown>
  title: string
  text: string
  /** The field of its dialog that keeps what was typed, above the server's words. */
  kept?: { label: string; typed: string }
}

const own = { status: 503, body: '{"message":"The database is away","code":"unavailable"}' }
/** The attempt was made, and the provider did not take the case. */
const refusedByProvider = { status: 200, body: '{"webhookLogId":"1","success":false,"error":"HTTP 500"}' }
export const foreign = { status: 502, body: '<h1>Bad gateway</h1>' }
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
export const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))
const confirm = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

async function addToken(page: Page) {
  await button(page, 'Add Token').click()
  await dialog(page).getByLabel('Project Name').fill('Tidal Power')
  await dialog(page).getByLabel('Token Symbol').fill('TIDE')
  await dialog(page).getByLabel('Contract Address').fill('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
  await confirm(page, 'Add Token')
}
async function markPaid(page: Page) {
  await button(page, 'Mark Paid').click()
  await confirm(page, 'Mark Paid')
}
async function submitCase(page: Page, { member }: FailureData) {
  await page.getByRole('textbox', { name: 'User ID' }).fill(member.id)
  await button(page, 'Submit KYC').click()
}
const retry = (page: Page, { member }: FailureData) => button(page, `Retry ${member.id}`).click()
export const viewFront = (page: Page) => button(page, 'View Identity front').click()

/** Product 9.3, failure toasts: every title and every text. */
export const failures: Failure[] = [
  {
    call: '**/api/users/*/ban',
    reply: own,
    open: ({ member }) => `/users?search=${member.email}`,
    act: async (page) => {
      await button(page, /^Ban /).click()
      await dialog(page).getByLabel('Reason').fill('Fraud')
      await confirm(page, 'Ban User')
    },
    title: 'Error',
    text: 'Failed to ban user',
    kept: { label: 'Reason', typed: 'Fraud' },
  },
  {
    call: '**/api/users/*/unban',
    reply: own,
    open: ({ banned }) => `/users?search=${banned.email}`,
    act: async (page) => {
      await button(page, /^Unban /).click()
      await confirm(page, 'Unban User')
    },
    title: 'Error',
    text: 'Failed to unban user',
  },
  {
    call: '**/api/users/*/kyc/approve',
    reply: own,
    open: ({ member }) => `/users/${member.id}?tab=kyc`,
    act: async (page) => {
      await button(page, 'Approve').click()
      await dialog(page).getByLabel('Admin notes').fill('Checked')
      await confirm(page, 'Approve')
      await confirm(page, 'Approve anyway')
    },
    title: 'Error',
    text: 'Failed to update KYC status',
    kept: { label: 'Admin notes', typed: 'Checked' },
  },
  {
    call: '**/api/tokens/earning',
    reply: own,
    open: () => '/tokens?tab=fractions',
    act: async (page) => {
      await page.getByRole('tab', { name: /Earning/ }).click()
      await addToken(page)
    },
    title: 'Error',
    text: 'Failed to create token',
  },
  {
    call: '**/api/tokens/earning/*',
    reply: own,
    open: () => '/tokens',
    act: (page, { project }) => button(page, new RegExp(`^Deactivate.*${project}`)).click(),
    title: 'Error',
    text: 'Failed to update token status',
  },
  {
    call: '**/api/orders/*/status',
    reply: own,
    open: ({ orderId }) => `/orders/${orderId}`,
    act: markPaid,
    title: 'Error',
    text: 'The database is away',
  },
  {
    call: '**/api/orders/*/status',
    reply: foreign,
    open: ({ orderId }) => `/orders/${orderId}`,
    act: markPaid,
    title: 'Error',
    text: 'Failed to update order status',
  },
  {
    call: '**/api/documents/token',
    reply: own,
    open: ({ withDocuments }) => `/users/${withDocuments}?tab=kyc`,
    act: viewFront,
    title: 'Document Access Failed',
    text: 'The database is away',
  },
  {
    call: '**/api/documents/token',
    reply: 'abort',
    open: ({ withDocuments }) => `/users/${withDocuments}?tab=kyc`,
    act: viewFront,
    title: 'Document Access Failed',
    text: "The server can't be reached",
  },
  {
    call: '**/api/documents/token',
    reply: foreign,
    open: ({ withDocuments }) => `/users/${withDocuments}?tab=kyc`,
    act: viewFront,
    title: 'Document Access Failed',
    text: 'Failed to generate secure document access token',
  },
  {
    call: '**/api/kyc/verifications/*/review',
    reply: own,
    open: ({ member }) => `/kyc?tab=verifications&search=${member.email}`,
    act: async (page) => {
      await button(page, /^Approve /).click()
      await confirm(page, 'Approve')
      await confirm(page, 'Approve anyway')
    },
    title: 'Error',
    text: 'Failed to process KYC review',
  },
  {
    call: '**/api/security/events/*/resolve',
    reply: own,
    open: () => '/security?status=medium',
    act: async (page, { eventWord }) => {
      await page
        .getByRole('row')
        .filter({ hasText: eventWord })
        .getByRole('button', { name: /^Resolve / })
        .click()
      await dialog(page).getByLabel('Note').fill('An old link')
      await confirm(page, 'Resolve')
    },
    title: 'Error',
    text: 'Failed to resolve security event',
    kept: { label: 'Note', typed: 'An old link' },
  },
  {
    call: '**/api/kyc/submit-for-verification',
    reply: own,
    open: () => '/kyc-webhooks',
    act: submitCase,
    title: 'KYC Submission Failed',
    text: 'The database is away',
  },
  {
    call: '**/api/kyc/submit-for-verification',
    reply: refusedByProvider,
    open: () => '/kyc-webhooks',
    act: submitCase,
    title: 'KYC Submission Failed',
    text: 'HTTP 500',
  },
  {
    call: '**/api/kyc/webhook-retry',
    reply: own,
    open: () => '/kyc-webhooks',
    act: retry,
    title: 'Retry Failed',
    text: 'The database is away',
  },
  {
    call: '**/api/kyc/webhook-retry',
    reply: refusedByProvider,
    open: () => '/kyc-webhooks',
    act: retry,
    title: 'Webhook Retry Failed',
    text: 'HTTP 500',
  },
  {
    call: '**/api/bank/lines/*/allocations',
    reply: foreign,
    open: () => '/reconciliation',
    act: async (page) => {
      await page.getByRole('button', { name: 'Put Aside' }).click()
      await page.getByRole('radio', { name: 'Other business' }).check()
      await confirm(page, 'Put Aside')
    },
    title: 'Error',
    text: 'Failed to apply the payment',
  },
]
