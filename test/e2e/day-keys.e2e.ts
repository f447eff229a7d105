import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { missingReasons, rejectionReasons } from '#contract/rejection-reasons.ts'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import {
  amount,
  type AskedOrder,
  applyButton,
  askFor,
  dialog,
  importWork,
  line,
  payFor,
  readAllocations,
  readOrder,
} from './support/desk.ts'
import { expect, test } from './support/harness.ts'
import { button, caseName, reason } from './support/kyc-cases.ts'
import { importMember } from './support/members.ts'
import { Operator } from './support/operator.ts'
import { importOrder } from './support/orders.ts'

const peek = (page: Page) => page.getByRole('complementary', { name: /^Peek: / })
const peekName = (page: Page) => peek(page).getByRole('heading', { level: 2 }).first()

async function begin(page: Page) {
  await page.goto('/')
  return new Operator(page)
}

test('40 KYC cases take 140 keys at most, a whole one that is approved 2 (product 5.10)', async ({ page, server }) => {
  const waiting = await server.sql<{ id: string; name: string; pictures: number; hasSelfie: boolean }>(
    `SELECT v.id::text, concat_ws(' ', legal_first_name, legal_last_name) AS name, four.id IS NOT NULL AS "hasSelfie",
       num_nonnulls(three.front_document, three.back_document, four.id) AS pictures
     FROM kyc_verifications v JOIN members m ON m.id = v.member_id
       JOIN kyc_step3 three USING (member_id, attempt_number) LEFT JOIN kyc_step4 four USING (member_id, attempt_number)
     WHERE v.status = 'pending'`,
  )
  const operator = await begin(page)
  const readOpenId = () => new URL(page.url()).searchParams.get('review')
  const decisions: { id: string; status: string; reason: string | null }[] = []
  let open: string | null = null
  await operator.find('start', 'Screens and actions')
  for (let at = 1; at <= 40; at += 1) {
    await expect.poll(readOpenId).not.toBe(open)
    await expect.poll(readOpenId).toMatch(/^\d+$/)
    open = readOpenId()!
    const { id, name, pictures, hasSelfie } = waiting.find((each) => each.id === open)!
    await expect(caseName(page)).toHaveText(name)
    await expect(button(page, 'Approve')).toBeEnabled()
    await expect(page.getByRole('figure').getByRole('img')).toHaveCount(pictures)
    const before = operator.keys
    if (at === 20) {
      await operator.press('q')
      await expect(page.getByLabel('Note to a colleague')).toBeFocused()
      await operator.press(...'signature?', 'Control+Enter')
      decisions.push({ id, status: 'pending', reason: null })
    } else if (!hasSelfie || at % 8 === 0) {
      await operator.press('r')
      await expect(reason(page)).toBeFocused()
      await operator.press(hasSelfie ? 'Alt+1' : 'Alt+8', 'Control+Enter')
      decisions.push({ id, status: 'rejected', reason: hasSelfie ? rejectionReasons[0] : missingReasons.selfie })
    } else {
      await operator.press('a')
      await expect(button(page, 'Approve')).toBeFocused()
      await operator.press('Enter')
      expect(operator.keys - before).toBe(2)
      decisions.push({ id, status: 'approved', reason: null })
    }
  }
  await expect.poll(readOpenId).not.toBe(open)
  const readDecisions = () =>
    server.sql(
      `SELECT id::text, status, rejection_reason AS reason FROM kyc_verifications
       WHERE id = ANY($1) ORDER BY array_position($1, id)`,
      [decisions.map(({ id }) => id)],
    )
  expect(await readDecisions()).toEqual(decisions)
  const { verifications } = (await (await page.request.get('/api/kyc/verifications?anotherLook=true')).json()) as {
    verifications: unknown[]
  }
  const anotherLook = expect.objectContaining({ by: 'grace', note: 'signature?' })
  expect(verifications).toContainEqual(expect.objectContaining({ id: decisions[19]!.id, anotherLook }))
  expect(operator.keys).toBeLessThanOrEqual(140)
})

/** Names that are not alike, so that each payer can only be one member. */
const payers = [
  'Beatriz Sampaio, Chidi Okafor, Ingrid Solberg, Tomasz Zielinski, Mei Nakamura, Joaquim Ferraz, Leila Haddad',
  'Sven Lindqvist, Priya Raman, Oscar Dubois, Yusuf Demir, Hanna Virtanen, Paulo Teixeira, Katarina Novak',
  'Dmitri Volkov, Amara Diallo, Felix Baumann, Rosa Mancini, Kenji Watanabe, Noor Rahimi',
].flatMap((names) => names.split(', '))

test.describe('of an account', () => {
  test.use({ data: 'empty' })

  test('30 bank lines take 40 keys at most (product 5.13)', async ({ page, server, operator: joan }) => {
    const orders: AskedOrder[] = []
    for (const [at, name] of payers.entries()) {
      const [legalFirstName, legalLastName] = name.split(' ') as [string, string]
      orders.push(await askFor(server, `${1017 + at * 101}.00`, { legalFirstName, legalLastName }))
    }
    for (let at = 0; at < 4; at += 1) orders.push(await askFor(server, `${501 + at}.00`))
    await server.sql('UPDATE bank_policy SET auto_apply = true')
    const account = await importWork(joan, 'Day', [
      ...payers.map((_, at) => payFor(orders[at]!, `${1017 + at * 101}.00`)),
      ...orders.slice(20).map((order, at) => payFor(order, `${501 + at}.00`, { payer: 'Rui Pires' })),
      ...['901.00', '902.00', '903.00'].map((each) => ({ amount: each, payer: 'Ilse Brandt', text: 'Thank you' })),
      ...['11.00', '12.00', '13.00'].map((each) => ({
        amount: each,
        payer: 'Grid Company',
        text: 'November',
        direction: 'DBIT' as const,
      })),
    ])
    const operator = await begin(page)
    await operator.goTo('recon', 'Reconciliation', amount(page))
    await expect(page.getByRole('button', { name: 'Apply 20 Exact' })).toBeVisible()
    await operator.press('e')
    await expect(dialog(page).getByRole('button', { name: 'Apply 20', exact: true })).toBeFocused()
    await operator.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
    const readOpenId = () => new URL(page.url()).searchParams.get('line')
    for (let left = 10; left > 0;) {
      const id = readOpenId()
      const { line: each } = (await (await page.request.get(`/api/bank/lines/${id}`)).json()) as BankLineDetail
      // The line that was open stays so when it is applied with the others.
      if (each.state === 'settled') await operator.press('j')
      else {
        left -= 1
        await expect(line(page).getByRole('region', { name: 'Candidates' })).toBeVisible()
        const sum = Math.abs(Number(each.amount))
        // To be paid back, put aside as a fee, or paid by another, each with its reason.
        const keys = sum > 900 ? 'r6' : sum < 100 ? 'i3' : '6'
        await operator.press(keys[0]!)
        if (keys === '6') await expect(applyButton(page)).toBeEnabled()
        else await expect(dialog(page)).toBeVisible()
        await operator.press(...keys.slice(1), 'Enter')
      }
      await expect.poll(readOpenId).not.toBe(id)
    }
    await expect(page.getByRole('heading', { name: `${account.name} is reconciled` })).toBeVisible()
    for (const order of orders) expect(await readOrder(server, order)).toMatchObject({ status: 'paid' })
    const parts = await readAllocations(server, account)
    const words = parts.map(({ purpose, code, reason: why }) => [purpose, code, why].filter(Boolean).join(' '))
    expect(words.toSorted()).toEqual([
      ...Array<string>(3).fill('ignored fee'),
      ...Array<string>(20).fill('order'),
      ...Array<string>(4).fill('order Family member'),
      ...Array<string>(3).fill('refund Payer unknown'),
    ])
    expect(operator.keys).toBeLessThanOrEqual(40)
  })
})

test('10 questions about members take 175 keys at most in search and Peek (product 3.7)', async ({ page, server }) => {
  const bring = async (at: number) => {
    const [legalLastName, legalPhone] = [`Quintela${at}`, `+351 930 000 00${at}`]
    const member = await importMember(server, { legalLastName, legalPhone, email: `ana${at}@quintela.example` })
    const [orderNumber, investmentAmount] = [`Q-7310${at}`, `${7310 + at}.00`]
    return { member, order: await importOrder(server, member, { orderNumber, investmentAmount }) }
  }
  const asked: Awaited<ReturnType<typeof bring>>[] = []
  for (let at = 0; at < 10; at += 1) asked.push(await bring(at))
  const operator = await begin(page)
  const ask = async (at: number, typed: string, list: 'User Management' | 'Orders', fact: string) => {
    await operator.peekInList(typed, list)
    await expect(peekName(page)).toContainText(list === 'Orders' ? asked[at]!.order.number : asked[at]!.member.name)
    await expect(peek(page)).toContainText(fact)
  }
  for (const at of [0, 1, 2]) await ask(at, `quintela${at}`, 'User Management', asked[at]!.member.email)
  for (const at of [3, 4, 5]) await ask(at, asked[at]!.member.email, 'User Management', `7,31${at}.00`)
  for (const at of [6, 7]) await ask(at, asked[at]!.order.number.toLowerCase(), 'Orders', asked[at]!.member.name)
  for (const at of [8, 9]) {
    await operator.find(`93000000${at}`, 'Members')
    await expect(page).toHaveURL(`/users/${asked[at]!.member.id}`)
    await expect(page.getByRole('main')).toContainText(asked[at]!.member.email)
  }
  expect(operator.keys).toBeLessThanOrEqual(175)
})

test('5 bans in Peek, each with its reason, take 80 keys at most (product 5.19)', async ({ page, server }) => {
  const bans = []
  for (const [at, why] of ['fraud', 'chargeback', 'duplicate', 'sanctions', 'stolen card'].entries()) {
    const createdAt = new Date(Date.now() - (at + 1) * 60_000).toISOString()
    const named = { legalFirstName: `Ana${at}`, legalLastName: 'Zwetkoff' }
    bans.push({ ...(await importMember(server, { ...named, createdAt })), why })
  }
  const operator = await begin(page)
  await operator.peekInList('zwetkoff', 'User Management')
  for (const [at, { name, why }] of bans.entries()) {
    if (at > 0) await operator.press('j')
    await expect(peekName(page)).toHaveText(name)
    await expect(peek(page).getByRole('button', { name: 'Ban User' })).toBeVisible()
    await operator.press('b')
    await expect(dialog(page)).toHaveAccessibleName(`Ban ${name}?`)
    await expect(dialog(page).getByLabel('Reason')).toBeFocused()
    await operator.press(...why, 'Control+Enter')
    await expect(dialog(page)).toHaveCount(0)
  }
  const banned = await server.sql(
    'SELECT id, banned_reason AS why, banned_by AS by FROM members WHERE id = ANY($1) ORDER BY created_at DESC',
    [bans.map(({ id }) => id)],
  )
  expect(banned).toEqual(bans.map(({ id, why }) => ({ id, why, by: 'grace' })))
  expect(operator.keys).toBeLessThanOrEqual(80)
})

test('an export of the banned members takes 16 keys at most (product 6.9)', async ({ page, server }) => {
  const banned = await server.sql<{ email: string }>('SELECT email FROM members WHERE banned')
  const operator = await begin(page)
  await operator.goTo('user', 'User Management')
  await operator.tabTo(page.getByRole('combobox', { name: 'Status' }))
  await operator.press('b')
  await expect(page.getByText(`of ${banned.length} entries`)).toBeVisible()
  await operator.tabTo(page.getByRole('button', { name: 'Export CSV' }))
  const downloading = page.waitForEvent('download')
  await operator.press('Enter')
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(1 + banned.length)
  for (const { email } of banned) expect(lines.filter((each) => each.includes(email))).toHaveLength(1)
  expect(await server.sql("SELECT actor_name AS by FROM audit_log WHERE action = 'export_list'")).toEqual([
    { by: 'grace' },
  ])
  expect(operator.keys).toBeLessThanOrEqual(16)
})

test('a member is found from anywhere with 8 keys (product 3.7)', async ({ page, server }) => {
  const { id, email } = await importMember(server, { legalLastName: 'Xylander' })
  for (const path of ['/transactions?tab=treasury', '/reconciliation', '/kyc?review=next', '/orders']) {
    await page.goto(path)
    const operator = new Operator(page)
    await operator.find('xylan', 'Members', 'Control+k')
    await expect(page).toHaveURL(`/users/${id}`)
    await expect(page.getByRole('main')).toContainText(email)
    expect(operator.keys, path).toBe(8)
  }
})
