import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { KycResult } from '#contract/schemas/platform-api.ts'
import { createKycProvider, type ProviderAddress, type CaseRequest } from '#server/adapters/kyc-provider.ts'
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/process/log.ts'
import { decideCase } from './results.ts'
import { startSandbox } from './start.ts'
import { holdTimers } from '#test/support/held-timers.ts'

const [timeLimitMs, restartMs] = [10_000, 500]
const timers = holdTimers(timeLimitMs, restartMs)
const provider = createKycProvider(readConfig({}))
const never = new AbortController().signal
const caseOf = (userId: string, requestedBy: CaseRequest['requestedBy'] = 'queue'): CaseRequest => ({
  requestedBy,
  caseId: 'case-1',
  userId,
  attemptNumber: 1,
  submittedAt: '2026-03-01T10:00:00.000Z',
  email: 'ana@example.com',
  legalFirstName: null,
  legalLastName: null,
  dateOfBirth: null,
  nationality: null,
  countryOfResidence: null,
  documentType: null,
})
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function start() {
  const sandbox = startSandbox(createLog('silent'))
  onTestFinished(() => sandbox.stop())
  return sandbox
}

test('the sandbox picks the outcome by the last character of the user id (product 13.4)', async () => {
  const to = (await start().find())!
  const send = (userId: string, id = userId) => provider.send(to, id, caseOf(userId), never)
  const hanging = send('m-e')
  for (const userId of ['m-0', 'm-9', 'm-a', 'm-b', 'm:1.'])
    expect(await send(userId)).toMatchObject({
      success: true,
      httpStatus: 202,
      responseExcerpt: '{"status":"accepted"}',
    })
  expect(await send('m-c')).toMatchObject({
    httpStatus: 422,
    responseExcerpt: expect.stringContaining('not supported'),
  })
  expect(await send('m-d')).toMatchObject({ success: false, httpStatus: 500, errorMessage: 'HTTP 500: Internal error' })
  expect(await send('m-f', 'first')).toMatchObject({ success: false, httpStatus: 503, retryAfter: 20 })
  expect(await send('m-f', 'first')).toMatchObject({ success: true })
  expect(await send('m-f', 'second')).toMatchObject({ success: false })
  timers.end(timeLimitMs)
  expect(await hanging).toMatchObject({ success: false, errorMessage: 'Timed out after 10 s' })
})

/** A console that is busy at first, and keeps what it hears afterwards. */
async function listen() {
  const heard: { headers: Record<string, string>; body: string }[] = []
  let calls = 0
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    calls += 1
    if (calls > 1) heard.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(calls > 1 ? 200 : 503).end('{}')
  }
  const server = createServer((request, response) => void hear(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { heard, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('a case that an operator submits gets its signed result once (product 13.4)', async () => {
  const sandbox = start()
  const { heard, address } = await listen()
  sandbox.setConsoleAddress(address)
  const to = (await sandbox.find())!
  const submit = (userId: string, id: string, by: CaseRequest['requestedBy'] = 'operator') =>
    provider.send(to, id, caseOf(userId, by), never)
  await submit('m-1a', 'by-queue', 'queue')
  await submit('m-2c', 'refused')
  await submit('m-3f', 'busy')
  // The queue goes on with what the operator began; a repeated sending is known.
  await submit('m-3f', 'busy', 'queue')
  await submit('m-4b', 'taken')
  await submit('m-4b', 'taken')
  await expect.poll(() => heard.length).toBe(2)
  const verifier = new Webhook(to.secrets[0]!)
  const results = heard.map(({ headers, body }) => [headers['webhook-id'], verifier.verify(body, headers)])
  expect(Object.fromEntries(results)).toEqual({
    'result-busy': decideCase({ caseId: 'case-1', userId: 'm-3f', attemptNumber: 1 }),
    'result-taken': {
      caseId: 'case-1',
      userId: 'm-4b',
      attemptNumber: 1,
      result: 'rejected',
      kycScore: 21,
      reason: 'The document has expired.',
      autoProcessed: true,
    },
  })
})

test('the last character of the user id picks each result (product 13.4)', () => {
  const of = (userId: string) => KycResult.parse(decideCase({ caseId: 'case-1', userId, attemptNumber: 1 }))
  expect(of('m-a')).toMatchObject({ result: 'approved', autoProcessed: true })
  expect(of('m-b')).toMatchObject({ result: 'rejected', autoProcessed: true })
  expect(of('m-8')).toMatchObject({ result: 'rejected', autoProcessed: false })
  expect(of('m-9')).toMatchObject({ result: 'under_review', autoProcessed: false })
  for (const userId of ['m-0', 'm-7', 'm-f', 'X'])
    expect(of(userId)).toMatchObject({ result: 'approved', autoProcessed: false })
})

test('the sandbox takes only what its own console has signed', async () => {
  const to = (await start().find())!
  const other: ProviderAddress = { ...to, secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`] }
  expect(await provider.send(other, 'id', caseOf('m-0'), never)).toMatchObject({ success: false, httpStatus: 401 })
  expect((await fetch(to.url, { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(413)
  expect((await fetch(to.url)).status).toBe(405)
})

test('the sandbox listens on loopback and ends with its console', async () => {
  const sandbox = start()
  const to = (await sandbox.find())!
  const pid = sandbox.pid()!
  expect(to).toMatchObject({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/kyc$/), isSandbox: true })
  expect(await provider.send({ ...to, isSandbox: false }, 'id', caseOf('m-0'), never)).toMatchObject({
    errorMessage: expect.stringContaining('Address refused: 127.0.0.1'),
  })
  await sandbox.stop()
  expect(isAlive(pid)).toBe(false)
})

test('a sandbox that dies is started again', async () => {
  const sandbox = start()
  await sandbox.find()
  const pid = sandbox.pid()!
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => timers.count(restartMs)).toBe(1)
  timers.end(restartMs)
  expect(sandbox.pid()).not.toBe(pid)
  expect(await provider.send((await sandbox.find())!, 'id', caseOf('m-0'), never)).toMatchObject({ success: true })
})

test('nothing is sent to where a dead sandbox listened', async () => {
  const sandbox = start()
  await sandbox.find()
  const pid = sandbox.pid()!
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => timers.count(restartMs)).toBe(1)
  expect(await sandbox.find()).toBeUndefined()
  timers.end(restartMs)
  expect(await sandbox.find()).toMatchObject({ isSandbox: true })
})

test('a sandbox that cannot be started delays nobody', async () => {
  const { execPath } = process
  process.execPath = '/nowhere/node'
  const sandbox = start()
  process.execPath = execPath
  expect(await sandbox.find()).toBeUndefined()
  timers.end(restartMs)
  expect(await sandbox.find()).toMatchObject({ isSandbox: true })
})

test('the sandbox ends with a killed console and not by Ctrl-C', async () => {
  const script = `
    import { startSandbox } from '#demo/sandbox/start.ts'
    setInterval(() => {}, 1000)
    const sandbox = startSandbox({ warn() {} })
    const { url } = await sandbox.find()
    console.log(JSON.stringify({ pid: sandbox.pid(), url }))`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void owner.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string]
  const { pid, url } = JSON.parse(line) as { pid: number; url: string }
  process.kill(pid, 'SIGINT')
  process.kill(pid, 'SIGTERM')
  // It answers, so it has outlived both.
  expect((await fetch(url)).status).toBe(405)
  owner.kill('SIGKILL')
  await expect.poll(() => isAlive(pid)).toBe(false)
})
