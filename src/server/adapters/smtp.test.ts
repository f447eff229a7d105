import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { mailFrom } from '#test/support/alerts.ts'
import { startMailServer } from '#test/support/fakes/mail-server.ts'
import { readTransport, sendMail } from './smtp.ts'

const mail = await startMailServer()
afterAll(() => mail.close())
beforeEach(() => {
  mail.state.behaviour = 'accept'
  mail.state.held = 0
})

test('off this machine nothing is sent without TLS and a known certificate', () => {
  const off = { url: 'smtp://u:p@mail.example.com' }
  expect(readTransport(off)).toMatchObject({
    port: 587,
    secure: false,
    requireTLS: true,
    tls: { rejectUnauthorized: true },
  })
  expect(readTransport({ url: 'smtps://u:p@mail.example.com' })).toMatchObject({ port: 465, secure: true })
})

const nobody = {
  to: 'ada@example.com',
  subject: 'x',
  text: 'x',
  html: 'x',
  messageId: '<1@x>',
  date: '2026-01-05T09:00:00.000Z',
  unsubscribeUrl: 'https://x.example',
}

test('a mail server that never answers is given up after its time', async () => {
  mail.state.behaviour = 'slow'
  const limit = new AbortController()
  const limits = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal)
  const outcome = sendMail({ url: mail.url, from: mailFrom }, nobody, new AbortController().signal)
  await expect.poll(() => mail.state.held).toBe(1)
  limit.abort()
  expect(await outcome).toMatchObject({ success: false, errorMessage: 'Timed out after 20 s' })
  expect(limits).toHaveBeenCalledExactlyOnceWith(20_000)
})

test('a stop gives up an e-mail under way', async () => {
  mail.state.behaviour = 'slow'
  const stop = new AbortController()
  const under = sendMail({ url: mail.url, from: mailFrom }, nobody, stop.signal)
  const refused = expect(under).rejects.toThrow()
  await expect.poll(() => mail.state.held).toBe(1)
  stop.abort()
  await refused
})

test('a relay on this machine may do without TLS', async () => {
  const plain = await startMailServer({ hasStartTls: false })
  const outcome = await sendMail({ url: plain.url, from: mailFrom }, nobody, new AbortController().signal)
  expect(outcome).toMatchObject({ success: true })
  expect(plain.mails[0]!.isEncrypted).toBe(false)
  await plain.close()
})

test('a mail server that is not there is said in words', async () => {
  const outcome = await sendMail({ url: 'smtp://127.0.0.1:1', from: mailFrom }, nobody, new AbortController().signal)
  expect(outcome.errorMessage).toBe('Could not connect: connection refused')
})
