import { makePayments } from '#bench/bank/noise.ts'
import type { Payment } from '#bench/bank/payments.ts'
import { storeAccount, storeDataset } from '#bench/bank/store-dataset.ts'
import { makeDataset } from '#bench/bank/dataset.ts'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import { writeCamt } from '#demo/platform/bank/write-camt.ts'
import { connectPool } from '#server/db/client.ts'
import { Random } from '#demo/platform/random.ts'
import { amount, applyButton, dialog, line, openDesk } from './support/desk.ts'
import { expect, test } from './support/harness.ts'
import { Operator } from './support/operator.ts'
import { addAccount, importDirectly } from './support/statements.ts'

test.use({ data: 'empty' })

/** Another mix with `KEYS_SEED=3`. */
const seed = Number(process.env.KEYS_SEED ?? 2)
const lineCount = 100

/** Lines of every kind, as many of each as chance brings. Each has a reference that tells which it is. */
function drawPayments(dataset: ReturnType<typeof makeDataset>): Payment[] {
  const inEuro = makePayments(dataset).filter(({ currency }) => currency === 'EUR')
  const drawn = new Random(seed).shuffled(inEuro).slice(0, lineCount)
  return drawn.map((payment, at) => ({ ...payment, reference: `LINE${String(at).padStart(6, '0')}` }))
}

/** An operator who knows what each payment is for. */
class BankOperator extends Operator {
  /** Enter, once it counts. */
  async apply() {
    await expect(applyButton(this.page)).toBeEnabled()
    await this.press('Enter')
  }

  async confirm() {
    await expect(dialog(this.page)).toBeVisible()
    await this.press('Enter')
  }

  async decide(detail: BankLineDetail, { truth, direction }: Payment) {
    const numbers = truth.map(({ orderNumber }) => orderNumber).toSorted()
    const at = detail.candidates.findIndex(
      (each) =>
        numbers.length > 0 &&
        each.kind !== 'return' &&
        each.orders
          .map(({ orderNumber }) => orderNumber)
          .toSorted()
          .join() === numbers.join(),
    )
    const found = detail.candidates[at]
    if (!found && numbers.length > 0 && direction === 'credit') return this.findOrders(numbers)
    if (!found) return this.writeOff()
    await this.choose(at)
    if (found.kind === 'order' && found.refusal !== null) return this.payBack()
    if (found.needsReason !== null) await this.press('6')
    await this.apply()
    await this.applyRest()
  }

  /** What a payment is too much is paid back: its split is applied as it is proposed. */
  async applyRest() {
    const split = line(this.page).getByRole('region', { name: 'Split' })
    if (await split.isVisible()) await this.apply()
  }

  async choose(at: number) {
    const choice = line(this.page)
      .getByRole('button', { name: /^Choose/ })
      .nth(at)
    if ((await choice.getAttribute('aria-pressed')) !== 'true') await this.press(String(at + 1))
  }

  async writeOff() {
    await this.press('i')
    await expect(dialog(this.page)).toBeVisible()
    // What nothing tells is said by a digit.
    if ((await dialog(this.page).getByRole('radio', { checked: true }).count()) === 0) await this.press('1')
    await this.confirm()
  }

  async payBack() {
    await this.press('r')
    await expect(dialog(this.page)).toBeVisible()
    if ((await dialog(this.page).getByLabel('Cause').inputValue()) === 'other') await this.press('6')
    await this.press('Enter')
  }

  async findOrders([number]: string[]) {
    await this.press('/', ...number!)
    await expect(dialog(this.page).getByRole('option')).toContainText([number!])
    await this.press('Enter')
    const choice = line(this.page).getByRole('button', { name: `Choose ${number}` })
    await expect(choice).toBeFocused()
    if (await line(this.page).getByRole('textbox', { name: 'Reason' }).isVisible()) await this.press('6')
    await this.apply()
    await this.applyRest()
  }
}

test('100 lines of every kind take 130 keys at most (product 5.13)', async ({ page, server, operator: joan }) => {
  test.setTimeout(900_000)
  const dataset = makeDataset(seed, 'demo')
  const payments = drawPayments(dataset)
  const database = connectPool({ connectionString: server.databaseUrl }, () => {})
  await storeDataset(database.db, dataset, await storeAccount(database.db, 'DE89370400440532013000'))
  await database.close()
  await server.sql('UPDATE bank_policy SET auto_apply = true')
  const account = await addAccount(joan, 'Mixed')
  const settings = { account: account.account, currency: 'EUR' }
  const file = writeCamt(payments, settings, { kind: '053', version: '001.02' })
  await importDirectly(joan, 'mixed.xml', file.content.toString())
  const countNew = async () =>
    (
      await server.sql('SELECT 1 FROM bank_lines WHERE suggestion IS NULL AND state = $1 AND account_id = $2', [
        'open',
        account.id,
      ])
    ).length
  await expect.poll(countNew).toBe(0)
  await openDesk(page, account)
  await expect(amount(page)).toBeVisible()
  const operator = new BankOperator(page)
  const pressed: Record<string, { lines: number; keys: number }> = {}

  await operator.press('e')
  const applyExact = dialog(page).getByRole('button', { name: /^Apply \d+$/ })
  await expect(applyExact).toBeEnabled()
  const exact = Number(/\d+/.exec(await applyExact.innerText())![0])
  await operator.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  pressed['exact, together'] = { lines: exact, keys: operator.presses }

  const readOpenId = () => new URL(page.url()).searchParams.get('line')
  for (let left = lineCount - exact; left > 0;) {
    const id = readOpenId()
    const reply = await page.request.get(`/api/bank/lines/${id}`)
    expect(reply.ok(), await reply.text()).toBe(true)
    const detail = (await reply.json()) as BankLineDetail
    const before = operator.presses
    // The line that was open stays so when it is applied with the others.
    if (detail.line.state === 'settled') await operator.press('j')
    else {
      const payment = payments.find(({ reference }) => JSON.stringify(detail.line.references).includes(reference!))!
      await expect(line(page).getByRole('region', { name: 'Candidates' })).toBeVisible()
      await operator.decide(detail, payment)
      const sum = (pressed[payment.kind] ??= { lines: 0, keys: 0 })
      sum.lines += 1
      sum.keys += operator.presses - before
      left -= 1
    }
    await expect.poll(readOpenId).not.toBe(id)
  }
  await expect(page.getByRole('heading', { name: `${account.name} is reconciled` })).toBeVisible()
  console.table(pressed)
  console.log(`${operator.presses} keys for ${lineCount} lines; ${operator.presses - 2 + exact} without E`)
  expect(operator.presses).toBeLessThanOrEqual(130)
})
