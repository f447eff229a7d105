import type { Page } from '@playwright/test'
import type { ConsoleServer } from './console-server.ts'
import { newWord } from './members.ts'

const table = (page: Page, name: 'Security events' | 'Admin actions') =>
  page.getByRole('region', { name, exact: true }).getByRole('table')
export const events = (page: Page) => table(page, 'Security events')
export const actions = (page: Page) => table(page, 'Admin actions')
export const eventRows = (page: Page) =>
  events(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: /^Resolve / }) })
/** What is known of the audit log's protection, opened from the row of the tabs. */
export const protection = (page: Page) => page.getByRole('dialog', { name: 'Audit log protection' })
export async function openProtection(page: Page, state: string | RegExp = /^(Audit log|Alarms)/) {
  await page.getByRole('button', { name: state }).click()
  return protection(page)
}
export const cards = (page: Page) => page.getByRole('region', { name: 'Security figures' })
export const dialog = (page: Page) => page.getByRole('dialog')

/** Events as the server itself writes them, each with a description that no other has. */
export async function raiseEvents(server: ConsoleServer, severity: string, count = 1) {
  const word = newWord()
  await server.sql(
    `INSERT INTO security_events (severity, event_type, description, ip_address)
     SELECT $1, 'document_token_refused', 'A document token was refused' || CASE WHEN n > 1 THEN ' ' || n ELSE '' END || ', ' || $2, '192.0.2.7'
     FROM generate_series(1, $3) n`,
    [severity, word, count],
  )
  return word
}
