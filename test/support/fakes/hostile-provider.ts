import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** How an ID token is signed. */
export type Signing = 'own key' | 'foreign key' | 'none' | 'HS256 with the secret' | 'HS256 with the public key'

function signToken(header: object, claims: object, how: Signing, secret: string): string {
  const alg = how === 'none' ? 'none' : how.startsWith('HS256') ? 'HS256' : 'RS256'
  const input = `${encode({ alg, kid: 'own', ...header })}.${encode(claims)}`
  if (how === 'none') return `${input}.`
  if (how.startsWith('HS256')) {
    const key = how.endsWith('secret') ? secret : own.publicKey.export({ type: 'spki', format: 'pem' })
    return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
  }
  const key: KeyObject = how === 'own key' ? own.privateKey : foreign.privateKey
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}

export interface NextAnswer {
  claims: Record<string, unknown>
  signing: Signing
  header: object
  status: number
  body: object | undefined
}

/** A provider whose answers a test chooses: it listens at loopback and redeems any code. */
export async function startHostileProvider(clientSecret: string) {
  let next: Partial<NextAnswer> = {}
  const metadata: Record<string, unknown> = {}
  let asked = 0
  const server = createServer((request, response) => {
    const send = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/.well-known/openid-configuration') return send(metadata)
    if (request.url === '/jwks')
      return send({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }] })
    asked++
    const { claims = {}, signing = 'own key', header = {}, status = 200, body } = next
    const idToken = signToken(header, claims, signing, clientSecret)
    return send(body ?? { access_token: 'an-access-token', token_type: 'Bearer', id_token: idToken }, status)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  Object.assign(metadata, {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    // It claims to sign by these too: they are refused nevertheless.
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    authorization_response_iss_parameter_supported: true,
  })
  return {
    issuer,
    metadata,
    /** What the next redemption answers. */
    answer: (given: Partial<NextAnswer>) => void (next = given),
    get redemptions() {
      return asked
    },
  }
}
