import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isScope, readScope, scopeLabels, scopes } from '#contract/scopes.ts'
import { platformRoutes } from '#contract/platform-api.ts'
import { KycResult } from '#contract/schemas/platform-api.ts'
import { eventMessage, platformEvents } from '#contract/schemas/platform-events.ts'
import { allRoutes } from '#contract/schemas/routes.ts'
import { caseExample } from '#server/openapi/examples/messages.ts'
import { readCommand } from '#server/cli/admin-commands.ts'
import { listRefusals } from '#server/openapi/refusals.ts'
import { createBankCaller } from './support/bank.ts'
import { readBlocks, openShell } from './support/shell-session.ts'
import { startServer } from './support/server.ts'

const page = await readFile(join(import.meta.dirname, '../docs/platform-api.md'), 'utf8')
const blocks = readBlocks(page)
const block = (kind: string) => blocks.find((each) => each.kind === kind)!.text

/** `--json` came with 7.82. */
const isCurlThere = / (7\.(8[2-9]|9)|[89]\.|\d\d\.)/.test(spawnSync('curl', ['--version']).stdout?.toString() ?? '')
const isPythonThere = spawnSync('python3', ['--version']).status === 0

const server = await startServer()
const bank = createBankCaller(server)
const folder = await mkdtemp(join(tmpdir(), 'back-office-platform-docs-'))
let url = ''
let made = ''
let moveIn = ''
beforeAll(async () => {
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  made = await readCommand(['key', 'create', 'shop'])!(server.system)
  moveIn = await readCommand(['key', 'create', 'move-in', '--scope', 'standard,history'])!(server.system)
})
afterAll(() => rm(folder, { recursive: true }))

/** The lists hold back what is written while any transaction of the database server is under way. */
async function everythingListed() {
  const [now] = await server.sql<{ next: string }>('SELECT pg_current_xact_id()::text AS next')
  const passed = async () =>
    (
      await server.sql<{ passed: boolean }>('SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 AS passed', [
        now!.next,
      ])
    )[0]!.passed
  await expect.poll(passed).toBe(true)
}

/** What the page tells the operator to do in the console, in its hidden remarks. */
const operator: Record<string, () => Promise<unknown>> = {
  'the operator approves m-1': () => server.as('ada')('POST', '/api/users/m-1/kyc/approve'),
  'the operator marks ORD-1 paid': async () => {
    const [order] = await server.sql<{ id: string }>(`SELECT id::text FROM orders WHERE order_number = 'ORD-1'`)
    return server.as('ada')('PATCH', `/api/orders/${order!.id}/status`, { status: 'paid' })
  },
  'the operator adds the account DE89370400440532013000': () => bank.addAccount(),
  'the operator applies the payment of ORD-2': async () => {
    const [line] = await bank.lines()
    const [order] = await server.sql(
      `SELECT id::text, investment_amount::text AS amount FROM orders WHERE order_number = 'ORD-2'`,
    )
    const allocations = [{ purpose: 'order', orderId: order!.id, amount: order!.amount }]
    const reply = await bank.call('POST', `/api/bank/lines/${line!.id}/allocations`, { allocations })
    expect(reply.statusCode, reply.body).toBe(200)
  },
  'all that was written is listed': everythingListed,
}

const readKey = (text: string) => /^Key: (.+)$/m.exec(text)![1]!

/** Instants and the ids that the console gives differ with each run, so they are not compared. */
const settled = (text: string): unknown =>
  JSON.parse(text, (_name, value: unknown) =>
    typeof value === 'string' ? value.replace(/^(?:\d{4}-\d\d-\d\dT[\d:.]+Z|(doc|case)_.+)$/, 'any $1') : value,
  )

/** Stands in for curl where the machine has none: what the page's commands use of it, by fetch. */
const substitute = `#!${process.execPath}
const { readFileSync } = require('node:fs')
const headers = [], init = {}
let url
for (let words = process.argv.slice(2), word; (word = words.shift()) !== undefined; )
  if (word === '-X') init.method = words.shift()
  else if (word === '-H' || word === '--header') headers.push(words.shift().split(/: (.*)/, 2))
  else if (word === '-T') init.body = readFileSync(words.shift())
  else if (word === '--data-binary') { init.method ??= 'POST'; init.body = readFileSync(words.shift().slice(1)) }
  else if (word === '--json') { init.method ??= 'POST'; init.body = words.shift(); headers.push(['content-type', 'application/json']) }
  else if (!word.startsWith('-')) url = word
fetch(url, { ...init, headers }).then((reply) => reply.text()).then((text) => process.stdout.write(text))
`

test('every command that can be pasted runs as shown (product 10.2)', async () => {
  if (!isCurlThere) await writeFile(join(folder, 'curl'), substitute, { mode: 0o755 })
  const key = readKey(made)
  expect(page).toContain(made.replace(key, 'bok_…'))
  const shell = await openShell({
    CONSOLE: url,
    KEY: key,
    MOVE_IN: readKey(moveIn),
    PATH: `${folder}:${process.env.PATH}`,
  })
  let printed = ''
  let compared = 0
  for (const [at, { kind, text }] of blocks.entries()) {
    if (kind === 'remark') await operator[text]!()
    if (kind === 'sh') printed = await shell.paste(text)
    if (blocks[at - 1]?.kind !== 'sh' || !['json', 'text'].includes(kind)) continue
    compared += 1
    if (kind === 'json') expect(settled(printed), blocks[at - 1]!.text).toEqual(settled(text))
    else expect(printed).toBe(text.trim())
  }
  await shell.close()
  expect(compared).toBeGreaterThan(14)
})

test('the shell function that reads a whole list says when it could not', async () => {
  const shell = await openShell({ CONSOLE: url, KEY: 'bok_wrong', PATH: `${folder}:${process.env.PATH}` })
  const texts = blocks.filter(({ kind }) => kind === 'sh').map(({ text }) => text)
  await shell.paste(texts.find((text) => text.startsWith('API='))!)
  const reading = shell.paste(texts.find((text) => text.startsWith('everything()'))!)
  await expect(reading).rejects.toThrow(/members are NOT complete: .*unauthorized/)
  await shell.close()
})

test('every call and event is on the page with valid examples (product 10.2)', () => {
  const calls = Object.values(platformRoutes).map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  expect(calls.filter((call) => !page.includes(call.replace('/api/platform/v1', '')))).toEqual([])
  const named = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell]) => [...cell!.matchAll(/`(\w+\.\w+)`/g)])
  const types = named.map(([, type]) => type!).filter((type) => !isScope(type))
  expect(types).toEqual(Object.keys(platformEvents))
  expect(eventMessage('kyc.approved').safeParse(JSON.parse(block('json event'))).error).toBeUndefined()
  expect(KycResult.safeParse(JSON.parse(block('json result'))).error).toBeUndefined()
  const sent = Object.keys({ ...caseExample, requestedBy: 'queue' })
  expect(Object.keys(JSON.parse(block('json case')) as object)).toEqual(sent)
})

test('the page lists every scope with what it allows and the calls that need it (product 10.1)', () => {
  const listed = [...page.matchAll(/^\| `([a-z]+(?:\.[a-z]+)?)` \| ([^|:]+)(?:: (.+))? \|$/gm)].map(
    ([, scope, label, calls]) => ({ scope, label, calls: calls?.split(', ').toSorted() }),
  )
  const expected = scopes.map((scope) => {
    const calls = allRoutes
      .filter(({ route }) => readScope(route.access) === scope)
      .map(
        ({ route }) => `\`${route.method} ${route.path.replace('/api/platform/v1', '').replace(/:(\w+)/g, '{$1}')}\``,
      )
    return { scope, label: scopeLabels[scope], calls: calls.length > 0 ? calls.toSorted() : undefined }
  })
  expect(listed.filter(({ scope }) => scopes.some((each) => each === scope))).toEqual(expected)
})

test('the page lists every code that calls of the platform answer, under its status', () => {
  const listed = [...page.matchAll(/^\| (\d{3}) \| (.+?) \|/gm)].flatMap(([, status, codes]) =>
    [...codes!.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`),
  )
  const answered = allRoutes.filter(({ group }) => group === 'platform').flatMap(listRefusals)
  const expected = new Set(answered.map(({ status, code }) => `${status} ${code}`))
  // What no call with its own method is refused with, and what lines of an import alone are.
  for (const other of ['405 method_not_allowed', '409 not_submitted', '409 attempt_decided', '409 decision_waits_here'])
    expected.add(other)
  expect(listed.toSorted()).toEqual([...expected].toSorted())
})

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`
const next = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
const body = '{"type":"kyc.approved","data":{"name":"José"}}'
// One moment for all: two signatures of one message name one second.
const now = Date.now()
function signed(by: string, secondsAgo = 0) {
  const at = new Date(now - secondsAgo * 1000)
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': new Webhook(by).sign('msg_1', at, body),
  }
}
/** Signed by an independent library, and what a checker has to say of each. */
const messages = [
  { headers: signed(secret), body, isGenuine: true },
  {
    headers: {
      ...signed(secret),
      'webhook-signature': `${signed(other)['webhook-signature']} ${signed(secret)['webhook-signature']}`,
    },
    body,
    isGenuine: true,
  },
  { headers: signed(other), body, isGenuine: false },
  { headers: signed(secret), body: body.replace('é', 'e'), isGenuine: false },
  { headers: { ...signed(secret), 'webhook-id': 'msg_2' }, body, isGenuine: false },
  { headers: signed(secret, 301), body, isGenuine: false },
  { headers: signed(secret, -3600), body, isGenuine: false },
  { headers: { ...signed(secret), 'webhook-timestamp': 'soon' }, body, isGenuine: false },
  { headers: {}, body, isGenuine: false },
]
const verdicts = messages.map(({ isGenuine }) => isGenuine)
const given = JSON.stringify(messages)

async function run(program: string, name: string, source: string): Promise<unknown> {
  const file = join(folder, name)
  await writeFile(file, source)
  return JSON.parse(execFileSync(program, [file], { input: given, encoding: 'utf8' }))
}
const askAll = (call: string) =>
  `
const messages = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
console.log(JSON.stringify(messages.map(({ headers, body }) => ${call})))`.replace(
    'require(',
    'process.getBuiltinModule(',
  )

test('the check of signatures in TypeScript takes what is genuine, and nothing else (product 10.2)', async () => {
  const source = block('ts') + askAll(`isGenuine('${secret}', headers, body)`)
  expect(await run(process.execPath, 'check.ts', source)).toEqual(verdicts)
})

test.skipIf(!isPythonThere)('so does the one in Python (product 10.2)', async () => {
  // Python has the time of the machine, which is not that of the run.
  const source = `${block('python')}
import json, sys, time
time.time = lambda: ${Date.now() / 1000}
print(json.dumps([is_genuine("${secret}", m["headers"], m["body"].encode()) for m in json.load(sys.stdin)]))`
  expect(await run('python3', 'check.py', source)).toEqual(verdicts)
})

test('and so does the example platform (product 10.2)', async () => {
  const example = await readFile(join(import.meta.dirname, '../examples/platform/events.ts'), 'utf8')
  expect(
    await run(process.execPath, 'example.ts', example + askAll(`isGenuine(['${next}', '${secret}'], headers, body)`)),
  ).toEqual(verdicts)
})

test('the sample code applies an event once, in order, and reads gaps again', async () => {
  const calls = `
const done = []
const entity = (id) => ({ type: 'member', id })
for (const [id, sequence] of [['a', 1], ['a', 2], ['a', 2], ['a', 1], ['b', 1], ['a', 5], ['a', 4], ['a', 6]])
  receive({ type: 'x', entity: entity(id), sequence, data: {} }, (event) => done.push([id, event.sequence]), ({ id }) => done.push([id, 'again']))
console.log(JSON.stringify(done))`
  expect(await run(process.execPath, 'sequence.ts', block('ts sequence') + calls)).toEqual([
    ['a', 1],
    ['a', 2],
    ['b', 1],
    ['a', 'again'],
    ['a', 6],
  ])
})
