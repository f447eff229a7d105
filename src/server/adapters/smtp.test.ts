import { afterAll, beforeEach, expect, test } from 'vitest'
import { mailFrom } from '#test/support/alerts.ts'
import { startMailServer } from '#test/support/fakes/mail-server.ts'
import { readTransport, sendMail } from './smtp.ts'

const mail = await startMailServer()
afterAll(() => mail.close())
beforeEach(() => {
  mail.state.behaviour = 'accept'
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
  const outcome = await sendMail({ url: mail.url, from: mailFrom }, nobody, new AbortController().signal, 300)
  expect(outcome).toMatchObject({ success: false, errorMessage: 'Timed out after 0.3 s' })
})

test('a stop gives up an e-mail under way', async () => {
  mail.state.behaviour = 'slow'
  const stop = new AbortController()
  const under = sendMail({ url: mail.url, from: mailFrom }, nobody, stop.signal)
  setTimeout(() => stop.abort(), 100)
  await expect(under).rejects.toThrow()
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
