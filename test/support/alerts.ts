import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect } from 'vitest'
import type { Alerts } from '#contract/schemas/alerts.ts'
import { alertMails, alertPosts } from '#server/features/messages/alerts.ts'
import { startMailServer } from './fakes/mail-server.ts'
import { runJob, sendMessages } from './jobs.ts'
import { startServer } from './server.ts'

export const mailFrom = 'Back Office <console@example.com>'

/** A chat that takes posts at a secret path. */
export async function startChat() {
  const texts: string[] = []
  const state = { status: 200 }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (state.status < 300) texts.push((JSON.parse(body) as { text: string }).text)
      response.writeHead(state.status, state.status === 302 ? { location: 'http://127.0.0.1:1/' } : {})
      response.end(state.status < 300 ? 'ok' : `no such hook: ${request.url}`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { texts, state, url: `http://127.0.0.1:${port}/hooks/s3cr3t-of-the-chat`, close: () => server.close() }
}

/** A console that sends alerts to a mail server and a chat, with one operator who gets them. */
export async function startAlertServer() {
  const mail = await startMailServer()
  const chat = await startChat()
  const server = await startServer({ SMTP_URL: mail.url, MAIL_FROM: mailFrom, WEBHOOK_ALLOW_PRIVATE: 'on' })
  afterAll(async () => {
    chat.close()
    await mail.close()
  })
  const stop = new AbortController().signal
  const write = () => runJob(server.services, 'write-alerts')
  const send = async () => {
    await sendMessages(alertMails)(server.services, stop)
    await sendMessages(alertPosts)(server.services, stop)
  }
  const read = async (username: string) => (await server.as(username)('GET', '/api/account/alerts')).json<Alerts>()
  /** The code of the last e-mail. */
  const readCode = () => /\b(\d{8})\b/.exec(mail.mails.at(-1)?.raw.split('\r\n\r\n').slice(1).join('\n') ?? '')![1]!
  async function confirmAddress(username: string, address: string) {
    const call = server.as(username)
    const asked = await call('PUT', '/api/account/alerts/email', { address })
    expect(asked.statusCode, asked.body).toBe(200)
    await send()
    const confirmed = await call('POST', '/api/account/alerts/email/confirm', { code: readCode() })
    expect(confirmed.statusCode, confirmed.body).toBe(200)
  }
  async function choose(username: string, choices: object[], more: object = {}) {
    const body = { choices, digestHour: 8, timeZone: 'UTC', ...more }
    const reply = await server.as(username)('PUT', '/api/account/alerts', body)
    expect(reply.statusCode, reply.body).toBe(200)
  }
  /** Raises critical events, which the kind `critical_events` counts. */
  async function raise(count = 1) {
    for (let at = 0; at < count; at++)
      await server.sql(
        `INSERT INTO security_events (severity, event_type, description) VALUES ('critical', 'test', 'Zoe Example failed')`,
      )
  }
  const resolveAll = () =>
    server.sql(`UPDATE security_events SET resolved_at = now(), resolved_by = 'ada' WHERE resolved_at IS NULL`)
  /** Lets so many minutes pass for what was told. */
  const pass = (minutes: number) =>
    server.sql(`UPDATE alert_choices SET told_at = told_at - make_interval(mins => $1)`, [minutes])
  return { server, mail, chat, write, send, read, readCode, confirmAddress, choose, raise, resolveAll, pass }
}
