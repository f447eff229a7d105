import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { importStream } from '#server/platform/import.ts'
import { newAddress } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { omit } from '#server/lib/omit.ts'

const server = await startServer()
const ada = server.as('ada')

const line = (given: Record<string, unknown> = {}) => ({
  type: 'token',
  kind: 'earning',
  contractAddress: newAddress(),
  projectName: 'Solar Park',
  tokenSymbol: 'SOLR',
  ...given,
})
const send = (...lines: unknown[]) =>
  importStream(server.system, Readable.from(lines.map((each) => `${JSON.stringify(each)}\n`)))
const counts = ({ created, updated, unchanged, refused }: Awaited<ReturnType<typeof send>>) => ({
  created,
  updated,
  unchanged,
  refused,
})
const row = async (contractAddress: string) =>
  (await server.sql('SELECT * FROM tokens WHERE contract_address = $1', [contractAddress]))[0]!

test('a token line brings a token in with its defaults, and sent again changes nothing (product 10.2)', async () => {
  const whole = line({
    decimals: 8,
    logo: '☀️',
    projectLink: 'https://solar.example',
    isActive: false,
    createdAt: '2026-01-05T09:00:00Z',
  })
  const bare = line({ kind: 'fractions', tokenSymbol: 'sol' })
  expect(counts(await send(whole, bare))).toEqual({ created: 2, updated: 0, unchanged: 0, refused: 0 })
  expect(counts(await send(whole, bare, bare))).toEqual({ created: 0, updated: 0, unchanged: 3, refused: 0 })
  expect(await row(whole.contractAddress)).toMatchObject({
    decimals: 8,
    logo: '☀️',
    project_link: 'https://solar.example/',
    is_active: false,
    active_set_by: null,
    created_at: new Date('2026-01-05T09:00:00Z'),
    version: 1,
  })
  expect(await row(bare.contractAddress)).toMatchObject({
    kind: 'fractions',
    token_symbol: 'SOL',
    decimals: 18,
    logo: '🧩',
    project_link: null,
    is_active: true,
  })
})

test('what a line leaves out stays, what it changes is audited before and after (product 10.2)', async () => {
  const first = line({ decimals: 8, logo: '☀️', projectLink: 'https://solar.example/', isActive: false })
  const { type, kind, contractAddress, tokenSymbol } = first
  await send(first)
  expect(counts(await send({ type, kind, contractAddress, tokenSymbol, projectName: 'Solar Two' }))).toMatchObject({
    updated: 1,
  })
  const after = await row(contractAddress)
  expect(after).toMatchObject({ project_name: 'Solar Two', decimals: 8, logo: '☀️', is_active: false, version: 2 })
  expect(after.project_link).toBe('https://solar.example/')
  expect(
    await server.sql(`SELECT action, details FROM audit_log WHERE target_type = 'token' AND target_id = $1`, [
      after.id,
    ]),
  ).toEqual([
    {
      action: 'update_token',
      details: { kind, before: { projectName: 'Solar Park' }, after: { projectName: 'Solar Two' } },
    },
  ])
})

test("an operator's state is not rewritten from outside (product 7.8)", async () => {
  const brought = line({ isActive: true })
  await send(brought)
  const { id } = await row(brought.contractAddress)
  await ada('PATCH', `/api/tokens/earning/${id}`, { isActive: false })
  const result = await send(brought, { ...brought, isActive: false }, line())
  expect(counts(result)).toEqual({ created: 1, updated: 0, unchanged: 1, refused: 1 })
  expect(result.errors).toMatchObject([
    { line: 1, message: expect.stringMatching(/^isActive: an operator has switched this token off \(set by ada on /) },
  ])
  expect((await row(brought.contractAddress)).is_active).toBe(false)
})

test('each refused line names its field and never stops the others', async () => {
  const result = await send(
    line({ kind: 'other' }),
    line({ contractAddress: '0x12' }),
    line({ contractAddress: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }),
    line({ projectName: ' ' }),
    line({ tokenSymbol: '' }),
    line({ decimals: 19 }),
    line({ logo: 'abc' }),
    line({ projectLink: 'ftp://example.com' }),
    line({ colour: 'red' }),
    line(),
  )
  expect(counts(result)).toEqual({ created: 1, updated: 0, unchanged: 0, refused: 9 })
  const fields = ['kind', 'contractAddress', 'contractAddress', 'projectName', 'tokenSymbol', 'decimals', 'logo']
  for (const [at, field] of [...fields, 'projectLink', 'colour'].entries())
    expect(result.errors[at]).toMatchObject({ line: at + 1, message: expect.stringContaining(field) })
})

test('simultaneous imports and adds leave each token once', async () => {
  const lines = Array.from({ length: 40 }, (_, n) => line({ tokenSymbol: `T${n}` }))
  const mine = omit(lines[20]!, ['type', 'kind'])
  const [reply, ...results] = await Promise.all([
    ada('POST', '/api/tokens/earning', mine),
    send(...lines),
    send(...lines.toReversed()),
    send(...lines),
    send(...lines),
  ])
  expect([200, 409]).toContain(reply.statusCode)
  const created = results.reduce((sum, result) => sum + result.created, reply.statusCode === 200 ? 1 : 0)
  expect(created).toBe(40)
  expect(results.map((result) => result.refused)).toEqual([0, 0, 0, 0])
})
