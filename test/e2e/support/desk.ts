import { expect, type APIRequestContext, type Page } from '@playwright/test'
import type { ConsoleServer } from './console-server.ts'
import { importMember, type ImportedMember } from './members.ts'
import { importOrder } from './orders.ts'
import { addAccount, importDirectly, newNumber, payment, statementOf } from './statements.ts'

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
export const dialog = (page: Page) => page.getByRole('dialog')
export const line = (page: Page) => page.getByRole('form', { name: 'Bank line' })
/** The amount of the open line, its heading. */
export const amount = (page: Page) => line(page).getByRole('heading', { level: 2 })
export const workList = (page: Page) => page.getByRole('list', { name: 'Bank lines to do' })
export const rows = (page: Page) => workList(page).getByRole('listitem')
export const button = (page: Page, name: string | RegExp) => line(page).getByRole('button', { name, exact: false })
export const applyButton = (page: Page) => line(page).getByRole('button', { name: /^Apply/ })
/** Enter applies once the line has been on the screen for a moment, which Apply shows. */
export async function applyByEnter(page: Page) {
  await expect(applyButton(page)).toBeEnabled()
  await page.keyboard.press('Enter')
}
export const candidate = (page: Page, number: string) =>
  line(page)
    .getByRole('region', { name: 'Candidates' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: `Choose ${number}` }) })

/** The menu of the accounts, named by the one that the page is about and its work. */
export const accountMenu = (page: Page, name = '') =>
  page.getByRole('button', { name: / to do$/ }).filter({ hasText: name })
export async function pressInAccountMenu(page: Page, name: string | RegExp) {
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name }).or(page.getByRole('menuitemradio', { name })).click()
}
/** From the menu, or where there is no account yet from the page. */
export async function openAddAccount(page: Page) {
  const first = page.getByRole('main').getByRole('button', { name: 'Add Account' })
  await expect(first.or(accountMenu(page))).toBeVisible()
  await ((await first.isVisible()) ? first.click() : pressInAccountMenu(page, 'Add Account'))
}

/** Adds up amounts with two places. */
const addUp = (amounts: readonly string[]) => amounts.reduce((sum, each) => sum + Number(each), 0).toFixed(2)

/** An account with a statement of these entries, that adds up. */
export async function importWork(operator: APIRequestContext, name: string, entries: BankEntry[]) {
  const account = await addAccount(operator, `${name} ${newNumber()}`)
  await importDirectly(operator, `${account.account}.xml`, writeStatement(account.account, entries))
  return account
}

export interface BankEntry {
  amount: string
  payer: string
  text: string
  direction?: 'CRDT' | 'DBIT'
  /** Booked so many days ago; today. */
  daysAgo?: number
  /** The account of the payer. */
  iban?: string
}

export function writeStatement(account: string, entries: readonly BankEntry[]): string {
  const signed = entries.map(({ amount: each, direction }) => (direction === 'DBIT' ? `-${each}` : each))
  const written = entries.map(({ amount: each, payer, text, direction, daysAgo = 0, iban }) =>
    payment(each, payer, text, direction, iban).replace('2026-11-03', dayAgo(daysAgo)),
  )
  return statementOf(account, '1000.00', addUp(['1000.00', ...signed]), ...written)
}

let orders = process.pid
/** Of eight digits, which cannot be in a text by chance, and far from the one before. */
const newOrderNumber = () => `ORD-${10_000_000 + (((orders += 1) * 38_196_601) % 90_000_000)}`

export interface AskedOrder {
  member: ImportedMember
  id: string
  number: string
}

/** An order of a member of its own over this amount. */
export async function askFor(
  server: ConsoleServer,
  investmentAmount: string,
  name: { legalFirstName?: string; legalLastName?: string } = {},
): Promise<AskedOrder> {
  const member = await importMember(server, name)
  const orderNumber = newOrderNumber()
  return { member, ...(await importOrder(server, member, { orderNumber, investmentAmount })) }
}

/** A payment of an order by its member, that names it. */
export const payFor = ({ member, number }: AskedOrder, paid: string, more: Partial<BankEntry> = {}): BankEntry => ({
  amount: paid,
  payer: member.name,
  text: `Payment ${number}`,
  ...more,
})

export async function openDesk(page: Page, account: { id: string }, more = '') {
  await page.goto(`/reconciliation?account=${account.id}${more}`)
}

export const readOrder = async (server: ConsoleServer, { id }: { id: string }) =>
  (
    await server.sql<{ status: string; received: string }>('SELECT status, received::text FROM orders WHERE id = $1', [
      id,
    ])
  )[0]

/** The ids of an account's lines, by amount. */
export async function readLineIds(server: ConsoleServer, { id }: { id: string }): Promise<Map<number, string>> {
  const lines = await server.sql<{ id: string; amount: string }>(
    'SELECT id::text, amount::text FROM bank_lines WHERE account_id = $1',
    [id],
  )
  return new Map(lines.map((each) => [Number(each.amount), each.id]))
}

/** The allocations of an account's lines, newest first. */
export const readAllocations = (server: ConsoleServer, { id }: { id: string }) =>
  server.sql<{
    purpose: string
    amount: string
    cause: string | null
    code: string | null
    reason: string | null
    undone: boolean
  }>(
    `SELECT p.purpose, p.amount::text, p.cause, p.code, p.reason, p.undone_at IS NOT NULL AS undone
     FROM bank_allocations p JOIN bank_lines l ON l.id = p.line_id WHERE l.account_id = $1 ORDER BY p.id DESC`,
    [id],
  )
