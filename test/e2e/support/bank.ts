import type { APIRequestContext } from '@playwright/test'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { BankAllocation, NewAllocation } from '#contract/schemas/bank-allocations.ts'
import { camtEntry, camtFile } from '#test/support/bank-files.ts'
import { expect } from './harness.ts'
import { newNumber } from './statements.ts'

/** A German IBAN with right check digits that no other test has: members who share one are told apart by more. */
export function newIban(): string {
  const number = newNumber().padEnd(18, '0')
  // D is 13 and E is 14 (ISO 13616).
  const check = 98n - (BigInt(`${number}131400`) % 97n)
  return `DE${String(check).padStart(2, '0')}${number}`
}

interface BankAccountOfTest {
  id: string
  name: string
  account: string
  currency: string
}

export async function addBankAccount(operator: APIRequestContext, given: object = {}): Promise<BankAccountOfTest> {
  const account = newNumber()
  const data = { name: `Clients ${account}`, account, currency: 'EUR', ...given }
  const reply = await operator.post('/api/bank/accounts', { data })
  expect(reply.ok(), await reply.text()).toBe(true)
  return ((await reply.json()) as { account: BankAccountOfTest }).account
}

interface Payment {
  amount: string
  payer: string
  text: string
  iban?: string
  /** `DBIT`: money that went out to `payer`. */
  direction?: 'CRDT' | 'DBIT'
  /** `INFO` for one that the bank only announces. */
  status?: 'BOOK' | 'INFO'
  endToEndId?: string
  /** The code by which a bank returns a transfer. */
  returnReason?: string
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Imports a booked payment, today's, and gives the line. */
export async function importPayment(
  operator: APIRequestContext,
  { account, currency }: BankAccountOfTest,
  { amount, payer, text, iban = newIban(), direction = 'CRDT', status = 'BOOK', ...more }: Payment,
): Promise<BankLine> {
  const party = direction === 'CRDT' ? 'Dbtr' : 'Cdtr'
  const { endToEndId, returnReason } = more
  const details =
    (endToEndId ? `<Refs><EndToEndId>${endToEndId}</EndToEndId></Refs>` : '') +
    `<RltdPties><${party}><Pty><Nm>${escapeXml(payer)}</Nm></Pty></${party}><${party}Acct><Id><IBAN>${iban}</IBAN></Id></${party}Acct></RltdPties>` +
    `<RmtInf><Ustrd>${escapeXml(text)}</Ustrd></RmtInf>` +
    (returnReason ? `<RtrInf><Rsn><Cd>${returnReason}</Cd></Rsn></RtrInf>` : '')
  const today = new Date().toISOString().slice(0, 10)
  const entryDetails = `<NtryDtls><TxDtls>${details}</TxDtls></NtryDtls>`
  const entry = camtEntry(amount, direction, entryDetails, `<Sts><Cd>${status}</Cd></Sts>`)
  const file = camtFile(entry.replace('2026-11-03', today), { iban: 'X' }).replaceAll('EUR', currency)
  const reply = await operator.post('/api/bank/imports?fileName=statement.xml', {
    data: Buffer.from(file.replace('<IBAN>X</IBAN>', `<Othr><Id>${account}</Id></Othr>`)),
    headers: { 'content-type': 'application/octet-stream' },
  })
  expect(reply.ok(), await reply.text()).toBe(true)
  const found = await operator.get(`/api/bank/lines?search=${encodeURIComponent(text)}`)
  const [line] = ((await found.json()) as { lines: BankLine[] }).lines
  expect(line).toBeDefined()
  return line!
}

/** Applies allocations of a line as an operator does, with a reason where one is needed. */
export async function applyAllocations(
  operator: APIRequestContext,
  { id, version }: BankLine,
  allocations: NewAllocation[],
  reason = 'Confirmed by the member',
): Promise<BankAllocation[]> {
  const headers = { 'if-match': `"${version}"` }
  const reply = await operator.post(`/api/bank/lines/${id}/allocations`, { data: { allocations, reason }, headers })
  expect(reply.ok(), await reply.text()).toBe(true)
  return ((await reply.json()) as { allocations: BankAllocation[] }).allocations
}

/** Puts the money of every line that is work aside. */
export async function putAllAside(operator: APIRequestContext): Promise<void> {
  const reply = await operator.get('/api/bank/lines?state=open')
  for (const line of ((await reply.json()) as { lines: BankLine[] }).lines)
    await applyAllocations(operator, line, [{ purpose: 'ignored', amount: line.amount, code: 'other_business' }])
}
