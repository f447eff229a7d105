import { appendFileSync } from 'node:fs'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { isForAdmins } from '#contract/permissions.ts'
import type { ImportResult } from '#contract/schemas/platform.ts'
import { readScope, scopes } from '#contract/scopes.ts'
import type { CallName } from '#contract/schemas/routes.ts'
import { createKey, maxCallsPerSecond } from '#server/features/keys/keys.ts'
import { buildOpenApiDocument } from '#server/openapi/document.ts'
import { startFakeNode } from './support/fakes/chain-node.ts'
import { startFakeProvider } from './support/fakes/kyc-provider.ts'
import { createAnswerCheck, listChanged, createFingerprinter } from './support/fuzz-checks.ts'
import {
  buildCalls,
  listDescribed,
  buildImportBodies,
  type DescribedOperation,
  type FuzzCall,
} from './support/fuzz-inputs.ts'
import type { StoredValues } from './support/fuzz-values.ts'
import { camtEntry, camtFile } from './support/bank-files.ts'
import { createBankCaller } from './support/bank.ts'
import { importUrl } from './support/import.ts'
import { signResult } from './support/sign-result.ts'
import {
  makeAttempt,
  makeChainTransaction,
  makeDocument,
  makeFraction,
  makeMember,
  makeOrder,
  makeTransaction,
  makeWallet,
} from './support/make.ts'
import { password, startServer } from './support/server.ts'

const seed = Number(process.env.FUZZ_SEED ?? 20_261_122)
const callCount = Number(process.env.FUZZ_RUNS ?? 400)
const lineCount = Number(process.env.FUZZ_LINES ?? 150)
const minutes = 60_000
/** Gets a line of JSON with the figures of each API. */
const reportFile = process.env.FUZZ_REPORT

// With a chain and a KYC provider, so that no call may answer 5xx.
const [node, provider] = await Promise.all([startFakeNode(), startFakeProvider()])
afterAll(() => Promise.all([node.close(), provider.close()]))
node.facts.otherBalance = 1n
// A long run outlives what counts as a new block.
Object.defineProperty(node.facts, 'at', { get: () => Math.floor(Date.now() / 1000) })
const secret = provider.secret
const server = await startServer({
  BSC_RPC_URLS: node.url,
  KYC_WEBHOOK_URL: provider.url,
  KYC_WEBHOOK_SECRET: secret,
  WEBHOOK_ALLOW_PRIVATE: 'on',
})
const document = buildOpenApiDocument('https://console.example.com')
const findFault = createAnswerCheck(document)
const fingerprint = await createFingerprinter(server)
// The most calls a second that a key may make, so that few are refused as too many.
const { key } = await createKey(server.system, { name: 'fuzz', scopes, callsPerSecond: maxCallsPerSecond })
// Signs in over and over, as does ada of the examples, which ends their oldest sessions.
await server.as('eva')('GET', '/api/auth/user')
// The operator whose calls these are gets an id that no call names, and so keeps the session.
await server.sql(`SELECT setval(pg_get_serial_sequence('admins', 'id'), 1000)`)

async function makeBankData() {
  const bank = createBankCaller(server, 'eva')
  const account = await bank.addAccount()
  await bank.importFile(camtFile(camtEntry('5.00', 'CRDT') + camtEntry('2.00', 'DBIT')))
  return account
}

async function makeData(): Promise<StoredValues> {
  const members = []
  for (const given of [{}, { kycStatus: 'approved' as const }, { banned: true }, {}]) {
    const member = await makeMember(server, given)
    members.push(member)
    await makeTransaction(server, member.id)
    await makeFraction(server, member.id)
  }
  const ids = members.map(({ id }) => id)
  for (const id of ids.slice(2)) await makeAttempt(server, id)
  const wallets = await Promise.all(ids.map((id) => makeWallet(server, id)))
  const transfer = await makeChainTransaction(server, wallets[0]!.address)
  const orders = await Promise.all(ids.map((id) => makeOrder(server, id)))
  const account = await makeBankData()
  const documents = await Promise.all(ids.map((id) => makeDocument(server, id)))
  const addresses = [...wallets.map(({ address }) => address), transfer.tokenAddress ?? '']
  const numbers = ['1', '2', '3', '4', '5', '6']
  return {
    id: [...ids, 'm-new', ...numbers],
    memberId: [...ids, 'm-new'],
    userId: ids,
    orderNumber: [...orders.map(({ orderNumber }) => orderNumber), 'ORD-new'],
    address: addresses,
    walletAddress: addresses,
    tokenAddress: addresses,
    contractAddress: addresses,
    email: [...members.map(({ email }) => email), 'new@example.com'],
    currency: ['EUR', 'USD'],
    accountId: [account.id],
    account: [account.account, 'NL91 ABNA 0417 1643 00'],
    fileName: ['a.xml', 'März.csv'],
    key: documents.map((each) => each.key),
    frontDocumentPath: documents.map((each) => each.key),
    backDocumentPath: documents.map((each) => each.key),
    selfiePath: documents.map((each) => each.key),
    username: ['eva', 'nobody'],
    password: [password, 'wrong'],
    caseId: ids.map((id) => `case-${id}-1`),
    externalUserId: ids,
    transactionId: ['t-1', 't-2', 'new'],
    fractionId: ['f-1', 'f-2', 'new'],
    tokenSymbol: ['ABC', 'XYZ'],
    amount: ['10.5', '0', '1.000000000000000001'],
    investmentAmount: ['1500.00', '0.01'],
    timeZone: ['UTC', 'Europe/Lisbon'],
  }
}
const source = { schemas: document.components.schemas, stored: await makeData() }

/** Calls that are left out, and why. */
const leftOut: Partial<Record<CallName, string>> = {
  'live.stream': 'its answer never ends, so no call of it comes back',
  'auth.mfaOptions': 'without a sign-in that waits it is always 401',
  'auth.mfaPasskey': 'as auth.mfaOptions',
  'auth.mfaTotp': 'as auth.mfaOptions',
  'auth.mfaRecovery': 'as auth.mfaOptions',
  'auth.stepUp': 'a right password gives the session another cookie',
  'accountSecurity.changePassword': 'as auth.stepUp',
}
const fuzzed = listDescribed(document).filter(({ named }) => !leftOut[named.name])
const isPlatform = ({ named }: DescribedOperation) => named.group === 'platform'
const readMethod = ({ named }: DescribedOperation) => named.route.method

async function send(
  described: DescribedOperation,
  { url, headers, payload }: FuzzCall,
): Promise<LightMyRequestResponse> {
  const { access } = described.named.route
  const who = isForAdmins(access) ? 'operator' : null
  if (access === 'provider' && payload) {
    const signed = signResult(secret, {}, { body: payload.toString() })
    return server.as(who)(readMethod(described), url, payload, { ...signed.headers, ...headers })
  }
  const authorization =
    readScope(access) !== null || access === 'admin or platform' ? { authorization: `Bearer ${key}` } : undefined
  return server.as(who)(readMethod(described), url, payload, { ...headers, ...authorization })
}

/** A call and its answer, short enough to read. */
function shown(
  { named }: DescribedOperation,
  { url, headers, payload }: FuzzCall,
  { statusCode, body }: LightMyRequestResponse,
) {
  const call = [named.name, url.slice(0, 200), JSON.stringify(headers).slice(0, 200), String(payload).slice(0, 300)]
  return `${call.join(' ')} → ${statusCode} ${body.slice(0, 300)}`
}

/** Sends `count` calls, one of each operation in turn, and collects what is wrong with their answers. */
async function fuzz(all: DescribedOperation[], count: number) {
  const each = Math.ceil(count / all.length)
  const samples = all.map((described, at) =>
    fc.sample(buildCalls(described, source), { numRuns: each, seed: seed + at }),
  )
  const faults = new Set<string>()
  const report = (fault: string) => {
    faults.add(fault)
    // A long run shows what it finds as it finds it.
    if (process.env.FUZZ_RUNS && faults.size <= 20) console.log(fault)
  }
  const seen = new Map<number, number>()
  let present = await fingerprint()
  for (let round = 0; round < each; round++)
    for (const [at, described] of all.entries()) {
      const call = samples[at]![round]!
      const reply = await send(described, call)
      seen.set(reply.statusCode, (seen.get(reply.statusCode) ?? 0) + 1)
      const text = shown(described, call, reply)
      const fault = findFault(described.operation, reply)
      if (fault) report(`${fault}: ${text}`)
      if (readMethod(described) === 'GET') continue
      const before = present
      present = await fingerprint()
      const changed = listChanged(before, present)
      if (reply.statusCode >= 400 && changed) report(`a refused call changed ${changed}: ${text}`)
    }
  if (process.env.FUZZ_RUNS) console.log(`${each * all.length} calls`, Object.fromEntries([...seen].toSorted()))
  return { faults: [...faults], seen }
}

test.each([
  ['console', fuzzed.filter((each) => !isPlatform(each))],
  ['platform', fuzzed.filter(isPlatform)],
])(
  'inputs to the %s API get described answers and refused ones change nothing',
  async (api, all) => {
    const { faults, seen } = await fuzz(all, callCount)
    if (reportFile) appendFileSync(reportFile, `${JSON.stringify({ api, statuses: [...seen], faults })}\n`)
    expect(faults).toEqual([])
    // Both kinds of input were there, and they came in. Of few calls that is left to chance.
    const calls = [...seen.values()].reduce((sum, count) => sum + count, 0)
    const [least, most] = calls < 400 ? [0, calls] : [calls / 20, calls / 20]
    for (const status of [200, 400]) expect(seen.get(status) ?? 0).toBeGreaterThanOrEqual(least)
    for (const status of [401, 429]) expect(seen.get(status) ?? 0).toBeLessThanOrEqual(most)
  },
  30 * minutes,
)

const sendLines = (lines: Buffer[], query = '') =>
  server.as(null)('POST', `${importUrl}${query}`, Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])), {
    authorization: `Bearer ${key}`,
    'content-type': 'application/x-ndjson',
  })
const importOperation = fuzzed.find(({ named }) => named.name === 'platform.import')!.operation

test(
  'import lines of any kind are each counted, and refused ones change nothing',
  async () => {
    const faults: string[] = []
    let sent = 0
    const bodies = fc.sample(buildImportBodies(source), { numRuns: lineCount, seed })
    for (const [at, body] of bodies.entries()) {
      if (sent >= lineCount) break
      const lines = body
        .flatMap((bytes) => bytes.toString('latin1').split('\n'))
        .map((line) => Buffer.from(line, 'latin1'))
      sent += lines.length
      const text = lines.map(String).join('\n').slice(0, 1000)
      const before = await fingerprint()
      // Each makes copies of tables, which takes a hundred times as long as the lines.
      const dry = at % 10 === 0 ? await sendLines(lines, '?dryRun=true') : undefined
      if (dry && listChanged(before, await fingerprint())) faults.push(`a dry run changed something: ${text}`)
      const reply = await sendLines(lines)
      const changed = listChanged(before, await fingerprint())
      const fault = findFault(importOperation, reply) ?? (dry && findFault(importOperation, dry))
      if (fault) faults.push(`${fault}: ${text} → ${reply.body}`)
      if (reply.statusCode !== 200) {
        if (changed) faults.push(`a refused import changed ${changed}: ${text}`)
        continue
      }
      const { accepted, created, updated, unchanged, refused, errors } = reply.json<ImportResult>()
      const filled = lines.filter((line) => String(line).trim() !== '').length
      const isCounted = accepted === created + updated + unchanged && accepted + refused === filled
      if (!isCounted || errors.length !== refused) faults.push(`counts do not add up: ${text} → ${reply.body}`)
      if (dry && dry.body !== reply.body) faults.push(`a dry run says otherwise: ${text} → ${dry.body} ${reply.body}`)
      if (created + updated === 0 && changed) faults.push(`refused lines changed ${changed}: ${text}`)
    }
    if (process.env.FUZZ_LINES) console.log(`${sent} lines`)
    expect(faults).toEqual([])
  },
  30 * minutes,
)
