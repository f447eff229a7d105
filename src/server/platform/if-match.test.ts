import { expect, test } from 'vitest'
import { makeMember, makeWallet, newAddress } from '#test/support/make.ts'
import { buildOrderBody, createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const call = createPlatformCaller(server)
const { id: buyer } = await makeMember(server)

const things: [string, (more?: object) => [path: string, body: object], object, object][] = [
  [
    'member',
    (more) => ['/members/v-1', { email: 'v@example.com', ...more }],
    { legalFirstName: 'Ana' },
    { legalFirstName: 'Eva' },
  ],
  ['order', (more) => ['/orders/V-1', buildOrderBody(buyer, more)], { projectName: 'Wind' }, { projectName: 'Sun' }],
  [
    'token',
    (more) => [`/tokens/earning/0x${'ab'.repeat(20)}`, { projectName: 'Solar', tokenSymbol: 'SOL', ...more }],
    { projectName: 'Wind' },
    { projectName: 'Sun' },
  ],
]

test.each(things)(
  'a change of a %s on a stale version is refused, a repeat is not',
  async (_what, of, change, other) => {
    const put = async ([path, body]: [string, object], version?: number) => {
      const reply = await call('PUT', path, body, version === undefined ? {} : { 'if-match': `"${version}"` })
      return [reply.statusCode, reply.json(), reply.headers.etag]
    }
    expect(await put(of(), 1)).toMatchObject([409, { code: 'stale', details: { version: null } }, undefined])
    expect(await put(of())).toEqual([200, { outcome: 'created', version: 1 }, '"1"'])
    expect(await put(of(change), 1)).toEqual([200, { outcome: 'updated', version: 2 }, '"2"'])
    expect(await put(of(other), 1)).toMatchObject([409, { code: 'stale', details: { version: 2 } }, undefined])
    expect(await put(of(change), 1)).toEqual([200, { outcome: 'unchanged', version: 2 }, '"2"'])
  },
)

test.each(things)('a %s is only changed by If-Match: *, only created by If-None-Match: *', async (what, of, change) => {
  const put = async ([path, body]: [string, object], headers: Record<string, string>) => {
    const fresh = path.replace('v-1', 'v-2').replace('V-1', 'V-2').replace('abab', 'abcd')
    const reply = await call('PUT', fresh, { ...body, ...(what === 'member' && { email: 'v2@example.com' }) }, headers)
    return [reply.statusCode, reply.json().outcome ?? reply.json().details]
  }
  const [exists, absent] = [{ 'if-match': '*' }, { 'if-none-match': '*' }]
  expect(await put(of(), exists)).toEqual([409, { version: null }])
  expect(await put(of(), absent)).toEqual([200, 'created'])
  expect(await put(of(), absent)).toEqual([200, 'unchanged'])
  expect(await put(of(change), absent)).toEqual([409, { version: 1 }])
  expect(await put(of(change), exists)).toEqual([200, 'updated'])
  expect(await put(of(), { ...exists, ...absent })).toMatchObject([400, [{ field: 'If-None-Match' }]])
  expect(await put(of(), { 'if-none-match': '"1"' })).toMatchObject([400, [{ field: 'If-None-Match' }]])
})

test('an ETag that a proxy has made weak is the version that it names', async () => {
  await call('PUT', '/members/v-weak', { email: 'weak@example.com' })
  const put = async (version: string) =>
    (
      await call(
        'PUT',
        '/members/v-weak',
        { legalFirstName: version, email: 'weak@example.com' },
        { 'if-match': version },
      )
    ).statusCode
  expect([await put('W/"2"'), await put('W/"1"'), await put('W/1'), await put('w/"1"')]).toEqual([409, 200, 400, 400])
})

test('of many create-only calls at once one creates', async () => {
  const bodies = Array.from({ length: 6 }, (_, n) => ({ email: `v3-${n}@example.com` }))
  const replies = await Promise.all(bodies.map((body) => call('PUT', '/members/v-3', body, { 'if-none-match': '*' })))
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
})

test.each([
  ['PUT', `/members/${buyer}/kyc/1`, { submit: true }],
  ['PUT', `/members/${buyer}/wallets/${newAddress()}`, {}],
  [
    'PUT',
    `/members/${buyer}/transactions/v-t`,
    { type: 'deposit', amount: '1', status: 'pending', createdAt: '2026-01-05T09:00:00Z' },
  ],
  ['POST', '/orders/V-1/complete', undefined],
  ['POST', '/import', ''],
] as const)('%s %s refuses the preconditions that it would not heed', async (method, path, body) => {
  for (const header of ['If-Match', 'If-None-Match']) {
    const type: Record<string, string> = path.endsWith('import') ? { 'content-type': 'application/x-ndjson' } : {}
    const reply = await call(method, path, body, { [header]: '*', ...type })
    expect([reply.statusCode, reply.json().details]).toEqual([
      400,
      [{ field: header, message: 'is not taken by this call' }],
    ])
  }
  expect((await call('GET', `/members/${buyer}`, undefined, { 'if-match': '"9"' })).statusCode).toBe(200)
})

test('reads of a member and an order carry their version', async () => {
  for (const path of [`/members/${buyer}`, '/orders/V-1']) {
    const reply = await call('GET', path)
    expect(reply.headers.etag).toBe(`"${reply.json().version}"`)
  }
})

test('a wallet has no version, and leaves that of its member as it was', async () => {
  const reply = await call('PUT', `/members/${buyer}/wallets/${newAddress()}`, {})
  expect(reply.json()).toEqual({ outcome: 'created' })
  expect((await call('GET', `/members/${buyer}`)).json()).toMatchObject({ version: 1, walletCount: 1 })
})

test("a member's own reply shows the first 100 wallets and their number", async () => {
  const { id } = await makeMember(server)
  for (let n = 0; n < 103; n++) await makeWallet(server, id)
  const member = (await call('GET', `/members/${id}`)).json()
  expect([member.wallets.length, member.walletCount]).toEqual([100, 103])
  const first = (await call('GET', `/members/${id}/wallets?limit=100`)).json()
  const rest = (await call('GET', `/members/${id}/wallets?limit=100&after=${first.next}`)).json()
  const addresses = [...first.wallets, ...rest.wallets].map(({ address }: { address: string }) => address)
  expect([addresses.slice(0, 100), new Set(addresses).size, rest.next]).toEqual([member.wallets, 103, null])
  expect((await call('GET', '/members/nobody/wallets')).statusCode).toBe(404)
})

test('a wallet list goes on behind a wallet of its member alone, whichever page it is', async () => {
  const [{ id }, { id: other }] = [await makeMember(server), await makeMember(server)]
  const own = await makeWallet(server, id)
  const foreign = await makeWallet(server, other)
  await makeWallet(server, id)
  expect((await call('GET', `/members/${id}/wallets?after=${own.id}`)).json().wallets).toHaveLength(1)
  for (const after of ['x', '0', '999999999', foreign.id]) {
    const reply = await call('GET', `/members/${id}/wallets?after=${after}`)
    expect([reply.statusCode, reply.json().code], after).toEqual([400, 'cursor_unknown'])
  }
})
