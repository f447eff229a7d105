import type { APIRequestContext, Page } from '@playwright/test'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { OrderPayments } from '#contract/schemas/bank-allocations.ts'
import { addBankAccount, applyAllocations, importPayment, newIban } from './bank.ts'
import type { ConsoleServer } from './console-server.ts'
import { expect } from './harness.ts'
import { importMember, newWord } from './members.ts'
import { importOrder } from './orders.ts'

export const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
export const payments = (page: Page) => panel(page, 'Payments')

/** As people read references and accounts. */
export const groupInFours = (text: string) => text.replaceAll(/.{4}(?=.)/g, '$& ')

/** The reply of a call that has to be answered. */
export async function readReply<T>(reply: Awaited<ReturnType<APIRequestContext['get']>>): Promise<T> {
  expect(reply.ok(), await reply.text()).toBe(true)
  return (await reply.json()) as T
}

/** An order of 12,500.50 EUR and lines of this many euros. */
export async function prepareOrder(
  server: ConsoleServer,
  operator: APIRequestContext,
  amounts: string[],
  given: Record<string, unknown> = {},
) {
  const member = await importMember(server)
  const order = await importOrder(server, member, { iban: 'DE89370400440532013000', ...given })
  const account = await addBankAccount(operator)
  const payer = { name: member.name.toUpperCase(), iban: newIban() }
  const lines = []
  for (const amount of amounts)
    lines.push(
      await importPayment(operator, account, {
        amount,
        payer: payer.name,
        iban: payer.iban,
        text: `rent ${newWord()}`,
      }),
    )
  const pay = (line: BankLine, amount = line.amount) =>
    applyAllocations(operator, line, [{ purpose: 'order', orderId: order.id, amount }])
  return { member, order, account, payer, lines, pay }
}

export const readPayments = async (operator: APIRequestContext, orderId: string) =>
  readReply<OrderPayments>(await operator.get(`/api/orders/${orderId}/payments`))
