import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { PasskeyAssertion, PasskeyCreation } from '#contract/schemas/passkeys.ts'

/** What an authenticator or its browser does otherwise than asked. */
export interface Deviation {
  origin?: string
  rpId?: string
  challenge?: string
  isUserVerified?: boolean
  counter?: number
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** Flags of WebAuthn, section 6.1: user present, user verified, attested credential data. */
const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

const defaultHome = { origin: 'http://localhost', rpId: 'localhost' }

/** A device with one passkey, and the browser in front of it, as WebAuthn describes them. */
export function createAuthenticator(home: { origin: string; rpId: string; id?: string } = defaultHome) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = home.id ?? randomBytes(32).toString('base64url')
  let uses = 0

  const writeClientData = (type: string, challenge: string, { origin = home.origin }: Deviation) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  function writeData({ rpId = home.rpId, isUserVerified = true, counter = ++uses }: Deviation, attested?: Buffer) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const bits = flags.present | (isUserVerified ? flags.verified : 0) | (attested ? flags.attested : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([bits]), count, attested ?? Buffer.alloc(0)])
  }

  /** The key in COSE: ECDSA with P-256 and SHA-256. */
  function writeCredential(): Buffer {
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
    ])
    const rawId = Buffer.from(id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(rawId.length)
    return Buffer.concat([Buffer.alloc(16), length, rawId, isoCBOR.encode(key)])
  }

  return {
    id,
    create(options: { challenge: string }, otherwise: Deviation = {}): PasskeyCreation {
      const clientData = writeClientData('webauthn.create', otherwise.challenge ?? options.challenge, otherwise)
      const authData = new Uint8Array(writeData(otherwise, writeCredential()))
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      // The encoder's own type of CBOR is not exported.
      const attestationObject = Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url')
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData.toString('base64url'),
          attestationObject,
          transports: ['internal', 'smoke-signals'],
        },
      }
    },
    use(options: { challenge: string }, otherwise: Deviation = {}): PasskeyAssertion {
      const clientData = writeClientData('webauthn.get', otherwise.challenge ?? options.challenge, otherwise)
      const authData = writeData(otherwise)
      const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey)
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}
