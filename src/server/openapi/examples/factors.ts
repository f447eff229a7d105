import type { PasskeyRequestOptions } from '#contract/schemas/passkeys.ts'
import type { ExamplesOf } from './example-types.ts'
import { at, later } from './samples.ts'

const credential = { id: 'mH0TjUVbGrpMyYUzQ8Vd1w', type: 'public-key', transports: ['internal', 'hybrid'] } as const
const challenge = 'rCqYBJiB5lYqLIvkuVyX0Q6aT8qnFqJ7aKzXbGfVbCA'

const passkeyRequest: PasskeyRequestOptions = {
  rpId: 'console.example.com',
  challenge,
  timeout: 300_000,
  allowCredentials: [{ ...credential, transports: [...credential.transports] }],
  userVerification: 'required',
}
const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoickNxWSJ9'
const answered = { id: credential.id, rawId: credential.id, type: 'public-key', clientExtensionResults: {} } as const

const passkeyAssertion = {
  ...answered,
  response: {
    clientDataJSON,
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQDqZ1mHn5tG3m5kq1dJrXc0cQIgYVZ1',
  },
}

const factor = { id: '3', kind: 'passkey' as const, name: 'Laptop', createdAt: at, lastUsedAt: null }
const totpFactor = { ...factor, id: '4', kind: 'totp' as const, name: 'Phone' }
const recoveryCodes = ['7k2m-9q4x-ht0d-v8rn-3c6p-w5fz', 'b1y8-ge7s-2jma-4n9t-kq0x-r6dh']
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

export const factors: ExamplesOf<'factors'> = {
  list: {
    reply: {
      factors: [{ ...factor, lastUsedAt: later }],
      recoveryCodes: { left: 10, createdAt: at },
      isRequired: false,
      passkeyProblem: null,
    },
  },
  beginPasskey: {
    reply: {
      options: {
        rp: { id: 'console.example.com', name: 'Back Office' },
        user: { id: 'Zr3sV7nT0cRk2mJqY1xWbA', name: 'ada', displayName: 'ada' },
        challenge,
        pubKeyCredParams: [
          { type: 'public-key', alg: -8 },
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        timeout: 300_000,
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      },
    },
  },
  addPasskey: {
    body: {
      name: 'Laptop',
      response: {
        ...answered,
        response: { clientDataJSON, attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ' },
      },
    },
    reply: { message: 'Passkey added', factor, recoveryCodes },
  },
  beginTotp: {
    reply: {
      setup: 'Yb1m0k3Yv8mJqW5n2dR7cXfT4sLhG6pA9eKzQ0uViBo',
      uri: `otpauth://totp/Back%20Office:ada?issuer=Back%20Office&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
      secret,
      expiresAt: later,
    },
  },
  addTotp: {
    body: { name: 'Phone', setup: 'Yb1m0k3Yv8mJqW5n2dR7cXfT4sLhG6pA9eKzQ0uViBo', code: '287082' },
    reply: { message: 'Authenticator app added', factor: totpFactor, recoveryCodes: null },
  },
  rename: {
    params: { id: factor.id },
    body: { name: 'Work laptop' },
    reply: { message: 'Passkey renamed', factor: { ...factor, name: 'Work laptop' } },
  },
  remove: { params: { id: factor.id }, reply: { message: 'Passkey removed' } },
  createRecoveryCodes: { reply: { message: 'New recovery codes made; the former ones no longer work', recoveryCodes } },
}

const admin = { id: '1', username: 'ada', createdAt: at, lastSignInAt: later }
export const auth: ExamplesOf<'auth'> = {
  currentUser: { reply: { admin } },
  login: { body: { username: 'ada', password: 'seven grey herons at noon' }, reply: { admin } },
  logout: {},
  mfaOptions: { reply: { methods: ['passkey', 'recovery'], passkey: passkeyRequest } },
  mfaPasskey: { body: { response: passkeyAssertion }, reply: { admin } },
  mfaTotp: { body: { code: '287082' }, reply: { admin } },
  mfaRecovery: { body: { code: '7k2m-9q4x-ht0d-v8rn-3c6p-w5fz' }, reply: { admin } },
  stepUpOptions: { reply: { methods: ['passkey', 'totp', 'recovery'], passkey: passkeyRequest } },
  stepUp: { body: { method: 'totp', code: '287082' }, reply: { validUntil: later } },
}
