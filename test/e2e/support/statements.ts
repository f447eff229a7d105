import { expect, type APIRequestContext, type Page } from '@playwright/test'
import { camtBalance, camtEntry, camtFile } from '#test/support/bank-files.ts'

let numbers = 0
/** A number that no other test has, of this worker or of another. */
export const newNumber = () => `00${String(process.pid).padStart(7, '0')}${String((numbers += 1)).padStart(6, '0')}`

export async function addAccount(operator: APIRequestContext, name: string, more: object = {}) {
  const account = newNumber()
  const reply = await operator.post('/api/bank/accounts', { data: { name, account, currency: 'EUR', ...more } })
  expect(reply.ok(), await reply.text()).toBe(true)
  const { account: added } = (await reply.json()) as { account: { id: string; account: string; name: string } }
  return added
}

export const payment = (amount: string, payer: string, text: string, direction = 'CRDT', iban?: string) => {
  const party = direction === 'CRDT' ? 'Dbtr' : 'Cdtr'
  const details =
    `<RltdPties><${party}><Pty><Nm>${payer}</Nm></Pty></${party}>` +
    (iban ? `<${party}Acct><Id><IBAN>${iban}</IBAN></Id></${party}Acct>` : '') +
    `</RltdPties>` +
    `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`
  return camtEntry(amount, direction, `<NtryDtls><TxDtls>${details}</TxDtls></NtryDtls>`)
}

/** A statement of an account with a number of the bank's own. */
export function statementOf(account: string, opening: string, closing: string, ...entries: string[]) {
  const file = camtFile(camtBalance('OPBD', opening) + camtBalance('CLBD', closing) + entries.join(''), { iban: 'X' })
  return file.replace('<IBAN>X</IBAN>', `<Othr><Id>${account}</Id></Othr>`)
}

export const fileOf = (name: string, content: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
})

export async function importDirectly(operator: APIRequestContext, name: string, content: string) {
  const reply = await operator.post(`/api/bank/imports?fileName=${name}`, {
    data: Buffer.from(content),
    headers: { 'content-type': 'application/octet-stream' },
  })
  expect(reply.ok(), await reply.text()).toBe(true)
}

/** Drops a file onto the page. */
export async function dropFile(page: Page, name: string, content: string) {
  const transfer = await page.evaluateHandle(
    ([fileName, text]) => {
      const data = new DataTransfer()
      data.items.add(new File([text!], fileName!, { type: 'text/xml' }))
      return data
    },
    [name, content],
  )
  await page.getByRole('main').dispatchEvent('dragover', { dataTransfer: transfer })
  await page.getByRole('main').dispatchEvent('drop', { dataTransfer: transfer })
}
