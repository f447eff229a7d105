import * as z from 'zod/mini'
import { text } from './common.ts'

// The JSON forms of WebAuthn Level 3, section 5.1: what `@simplewebauthn/browser` takes and returns.

export const passkeyTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const Transport = z.enum(passkeyTransports)
export type PasskeyTransport = z.infer<typeof Transport>

const Credential = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.optional(z.array(Transport)),
})

/** What a browser needs to create a passkey. */
export const PasskeyCreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  /** Milliseconds. */
  timeout: z.int(),
  /** The admin's passkeys, so that no device gets a second one. */
  excludeCredentials: z.array(Credential),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>

/** What a browser needs to use a passkey. */
export const PasskeyRequestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.int(),
  allowCredentials: z.array(Credential),
  userVerification: z.literal('required'),
})
export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>

const Base64Url = (max: number) => text(max, 1).check(z.regex(/^[\w-]+$/, 'must be base64url without padding'))
const CredentialId = Base64Url(1400)
const Data = Base64Url(20_000)

const shared = {
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.optional(z.nullable(z.enum(['cross-platform', 'platform']))),
  /** Nothing of it is used. */
  clientExtensionResults: z.optional(z.looseObject({})),
}

/** A browser's answer to `PasskeyCreationOptions`. Fields that are not needed are ignored. */
export const PasskeyCreation = z.object({
  ...shared,
  response: z.object({ clientDataJSON: Data, attestationObject: Data, transports: z.optional(z.array(text(40))) }),
})
export type PasskeyCreation = z.infer<typeof PasskeyCreation>

/** A browser's answer to `PasskeyRequestOptions`. */
export const PasskeyAssertion = z.object({
  ...shared,
  response: z.object({
    clientDataJSON: Data,
    authenticatorData: Data,
    signature: Data,
    userHandle: z.optional(z.nullable(text(200))),
  }),
})
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>
