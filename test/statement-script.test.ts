import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey } from '#server/features/keys/keys.ts'
import { camtBalance, camtEntry, camtFile } from './support/bank-files.ts'
import { createBankCaller } from './support/bank.ts'
import { readBlocks } from './support/shell-session.ts'
import { startServer } from './support/server.ts'

const page = await readFile(join(import.meta.dirname, '../docs/operating.md'), 'utf8')
const script = readBlocks(page).find(({ kind }) => kind === 'sh send-statements')!.text
const isCurlThere = spawnSync('curl', ['--version']).status === 0

const server = await startServer()
const bank = createBankCaller(server)
const folder = await mkdtemp(join(tmpdir(), 'back-office-statements-'))
const inbox = join(folder, 'inbox')
const keyFile = join(folder, 'key')
let address = ''
beforeAll(async () => {
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  await bank.addAccount()
  await mkdir(inbox)
  await writeFile(join(folder, 'send-statements'), script, { mode: 0o755 })
  await writeFile(keyFile, `Authorization: Bearer ${(await createKey(server.system, { name: 'bank-files' })).key}\n`)
})
afterAll(() => rm(folder, { recursive: true }))

/** A file that was written ten minutes ago. */
async function drop(name: string, content: string): Promise<void> {
  const path = join(inbox, name)
  await writeFile(path, content)
  await utimes(path, Date.now() / 1000 - 600, Date.now() / 1000 - 600)
}

/** Runs the script as cron does. What it prints is what cron would send by mail. */
async function run(settings: Record<string, string> = {}): Promise<string> {
  const env = { PATH: process.env.PATH, CONSOLE: address, INBOX: inbox, KEY_FILE: keyFile, ...settings }
  const child = spawn(join(folder, 'send-statements'), { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return printed + complained
}
const listFiles = async (name = '') =>
  (await readdir(join(inbox, name), { withFileTypes: true })).filter((each) => each.isFile()).map(({ name }) => name)

const statement = (amount: string) =>
  camtFile(camtBalance('OPBD', '0.00') + camtEntry(amount, 'CRDT') + camtBalance('CLBD', amount))

test.skipIf(!isCurlThere)(
  'the script sends each file of the folder once and moves it aside (product 10.6)',
  async () => {
    await drop('Kontoauszug 1 März.xml', statement('11.00'))
    await drop('same bytes.xml', statement('11.00'))
    await writeFile(join(inbox, 'being written.xml'), statement('12.00'))
    await drop('damaged.xml', statement('13.00').replace('</Document>', ''))
    expect(await run()).toMatch(/^damaged\.xml was refused: .*the file is damaged.* 400\n$/)
    expect((await bank.lines()).map(({ amount }) => amount)).toEqual(['11.00'])
    expect([await listFiles(), (await listFiles('sent')).toSorted(), await listFiles('refused')]).toEqual([
      ['being written.xml'],
      ['Kontoauszug 1 März.xml', 'same bytes.xml'],
      ['damaged.xml'],
    ])
    const { imports } = (await bank.call('GET', '/api/bank/imports')).json()
    expect(imports).toMatchObject([{ fileName: 'Kontoauszug_1_M__rz.xml', importedBy: 'platform:bank-files' }])
  },
)

test.skipIf(!isCurlThere)('the script leaves a file in its place that could not be sent', async () => {
  await drop('later.xml', statement('14.00'))
  expect(await run({ CONSOLE: 'http://127.0.0.1:9' })).toMatch(/later\.xml was not sent, and is tried again:/)
  const wrongKey = join(folder, 'wrong-key')
  await writeFile(wrongKey, 'Authorization: Bearer bok_wrong\n')
  expect(await run({ KEY_FILE: wrongKey })).toMatch(/later\.xml was not sent, .* 401\n$/)
  expect(await listFiles()).toContain('later.xml')
  expect(await run()).toBe('')
  expect(await listFiles('sent')).toContain('later.xml')
})

test.skipIf(!isCurlThere)('the script names the account of a CSV file', async () => {
  const [account] = await bank.accounts()
  await bank.call('PATCH', `/api/bank/accounts/${account!.id}`, {
    csvProfile: {
      encoding: 'utf-8',
      delimiter: ';',
      headerRow: 0,
      columns: { bookedOn: 0, amount: 1, remittance: 2 },
      decimalSign: '.',
      dateOrder: 'ymd',
    },
  })
  await drop('export.csv', 'Date;Amount;Text\n2026-11-03;15.00;ORD-1\n')
  expect(await run({ ACCOUNT: account!.id })).toBe('')
  expect((await bank.lines())[0]).toMatchObject({ amount: '15.00', remittance: ['ORD-1'] })
})
