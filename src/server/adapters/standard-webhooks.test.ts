import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { isSecret, isSigned, signHeaders } from './standard-webhooks.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const at = new Date(1_614_265_330_000)
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const body = '{"test": 2432232314}'
const headers = signHeaders([secret], id, body, at)

test('a message is signed as the scheme’s own published example', () => {
  expect(headers).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('what was tampered with, is old, unsigned or signed by another is refused', () => {
  const isTaken = (given: object, text = body, now = at) => isSigned([secret], { ...headers, ...given }, text, now)
  expect(isTaken({})).toBe(true)
  expect(isTaken({ 'webhook-signature': `v1a,x v1,AAAA ${headers['webhook-signature']}` })).toBe(true)
  expect(isTaken({}, `${body} `)).toBe(false)
  expect(isTaken({ 'webhook-id': 'msg_other' })).toBe(false)
  expect(isTaken({ 'webhook-timestamp': '1614265331' })).toBe(false)
  expect(isTaken({}, body, new Date(at.getTime() + 301_000))).toBe(false)
  expect(isTaken({}, body, new Date(at.getTime() - 301_000))).toBe(false)
  for (const name of Object.keys(headers)) expect(isTaken({ [name]: undefined })).toBe(false)
  for (const signature of ['', 'v1,', 'v2,AAAA', ['v1,x']])
    expect(isTaken({ 'webhook-signature': signature })).toBe(false)
  const other = createHmac('sha256', 'other').update(`${id}.1614265330.${body}`).digest('base64')
  expect(isTaken({ 'webhook-signature': `v1,${other}` })).toBe(false)
})

test('a secret is whsec_ and 24 to 64 bytes in base64', () => {
  const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`
  for (const bytes of [24, 25, 32, 64]) expect(isSecret(of(bytes)), String(bytes)).toBe(true)
  const wrong = [
    of(23),
    of(65),
    of(32).slice(6),
    `${of(32)}=`,
    of(25).replace('=', ''),
    'whsec_',
    'whsec_*',
    `sec_${of(32)}`,
  ]
  for (const value of wrong) expect(isSecret(value), value).toBe(false)
})
