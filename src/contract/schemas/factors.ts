import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { factorKinds, longestFactorName } from '#contract/factors.ts'
import { filled, RowId, text, Timestamp } from './common.ts'
import { PasskeyCreation, PasskeyCreationOptions } from './passkeys.ts'

/** A second factor of the signed-in admin, without its key. */
export const Factor = z.object({
  id: z.string(),
  kind: z.enum(factorKinds),
  name: z.string(),
  createdAt: Timestamp,
  lastUsedAt: z.nullable(Timestamp),
})
export type Factor = z.infer<typeof Factor>

/** The signed-in admin's factors, and what can be added. */
const FactorList = z.object({
  factors: z.array(Factor),
  /** Codes that still work, and when they were made: null without codes. */
  recoveryCodes: z.object({ left: z.int(), createdAt: z.nullable(Timestamp) }),
  /** The setting AUTH_MFA: without a factor the admin can only add one. */
  isRequired: z.boolean(),
  /** Why no passkey can be used at the address that was asked, for the screen. Null: one can. */
  passkeyProblem: z.nullable(z.string()),
})

const Name = filled(longestFactorName)
const params = z.object({ id: RowId })

const addedFactor = z.object({
  message: z.string(),
  factor: Factor,
  /** With the first factor, shown this once. Null with a further one: the codes stay. */
  recoveryCodes: z.nullable(z.array(z.string())),
})

export const factorSchemas = {
  list: { summary: 'The second factors of the signed-in admin', reply: FactorList },
  beginPasskey: {
    summary: 'Begin to add a passkey: the options for the browser',
    reply: z.object({ options: PasskeyCreationOptions }),
    refuses: ['passkeys_unavailable', 'factor_limit'],
  },
  addPasskey: {
    summary: 'Add the passkey that the browser created',
    body: z.strictObject({ name: Name, response: PasskeyCreation }),
    reply: addedFactor,
    refuses: ['passkeys_unavailable', 'passkey_taken', 'factor_limit'],
  },
  beginTotp: {
    summary: 'Begin to add an authenticator app: its key, shown this once',
    reply: z.object({
      /** Names this begin when the code comes. */
      setup: z.string(),
      /** `otpauth://totp/…`, to draw as a QR code. */
      uri: z.string(),
      /** The key in base32, to type instead. */
      secret: z.string(),
      expiresAt: Timestamp,
    }),
    refuses: ['factor_limit'],
  },
  addTotp: {
    summary: 'Add the authenticator app that shows this code',
    body: z.strictObject({ name: Name, setup: text(100, 1), code: text(20, 1) }),
    reply: addedFactor,
    refuses: ['factor_limit'],
  },
  rename: {
    summary: 'Rename a factor',
    params,
    body: z.strictObject({ name: Name }),
    reply: z.object({ message: z.string(), factor: Factor }),
  },
  remove: {
    summary: 'Remove a factor; with the last one its recovery codes go too',
    params,
    reply: z.object({ message: z.string() }),
    refuses: ['last_factor'],
  },
  createRecoveryCodes: {
    summary: 'Replace the recovery codes; the new ones are shown this once',
    reply: z.object({ message: z.string(), recoveryCodes: z.array(z.string()) }),
    refuses: ['no_factor'],
  },
} satisfies Record<string, RouteSchemas>
