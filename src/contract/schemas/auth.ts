import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { factorMethods, stepUpMethods } from '#contract/factors.ts'
import { text, Timestamp } from './common.ts'
import { PasskeyAssertion, PasskeyRequestOptions } from './passkeys.ts'

export const Admin = z.object({
  id: z.string(),
  username: z.string(),
  createdAt: Timestamp,
  lastSignInAt: z.nullable(Timestamp),
})
export type Admin = z.infer<typeof Admin>

// Absent, null or empty is the server's to refuse, in the sentence of product 9.5.
const credential = z.optional(z.nullable(text(200)))
export const Credentials = z.strictObject({ username: credential, password: credential })

const AdminReply = z.object({ admin: Admin })

/** Why the admin's passkeys are not among `methods`: they can't be used at this address. Absent where they can, or there are none. */
const passkeyProblem = z.string()

/** The password is right and the admin has a factor: nobody is signed in until one of these methods has succeeded. */
export const SecondFactorNeeded = z.object({
  mfaRequired: z.literal(true),
  methods: z.array(z.enum(factorMethods)),
  passkeyProblem: z.optional(passkeyProblem),
})
export type SecondFactorNeeded = z.infer<typeof SecondFactorNeeded>

/** `passkey` is null where `methods` has none. Each call makes a new challenge, which is valid once. */
const withPasskey = { passkey: z.nullable(PasskeyRequestOptions) }

const code = text(60, 1)
const codeBody = z.strictObject({ code })

/** What the admin authenticates with again, by one of the methods that `step_up_required` names. */
export const StepUp = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('password'), password: text(200, 1) }),
  z.strictObject({ method: z.literal('passkey'), response: PasskeyAssertion }),
  z.strictObject({ method: z.literal('totp'), code }),
  z.strictObject({ method: z.literal('recovery'), code }),
])
export type StepUp = z.infer<typeof StepUp>

export const authSchemas = {
  currentUser: { summary: 'The signed-in admin; 401 when nobody is signed in', reply: AdminReply },
  login: {
    summary: 'Sign in; sets the session cookie, or says which second factor it needs',
    body: Credentials,
    reply: z.union([AdminReply, SecondFactorNeeded]),
    refuses: ['invalid_credentials', 'too_many_requests'],
  },
  logout: { summary: 'Sign out; 204' },
  mfaOptions: {
    summary: 'What can complete the sign-in after its first step, with a challenge for a passkey',
    reply: z.object({
      methods: z.array(z.enum(factorMethods)),
      passkeyProblem: z.optional(passkeyProblem),
      ...withPasskey,
    }),
  },
  mfaPasskey: {
    summary: 'Complete the sign-in with a passkey; sets the session cookie',
    body: z.strictObject({ response: PasskeyAssertion }),
    reply: AdminReply,
    refuses: ['invalid_credentials', 'too_many_requests'],
  },
  mfaTotp: {
    summary: 'Complete the sign-in with the code of an authenticator app; sets the session cookie',
    body: codeBody,
    reply: AdminReply,
    refuses: ['invalid_credentials', 'too_many_requests'],
  },
  mfaRecovery: {
    summary: 'Complete the sign-in with a recovery code, which is used up; sets the session cookie',
    body: codeBody,
    reply: AdminReply,
    refuses: ['invalid_credentials', 'too_many_requests'],
  },
  stepUpOptions: {
    summary: 'What renews the authentication of this session, with a challenge for a passkey',
    reply: z.object({
      methods: z.array(z.enum(stepUpMethods)),
      passkeyProblem: z.optional(passkeyProblem),
      ...withPasskey,
    }),
  },
  stepUp: {
    summary: 'Renew the authentication of this session; sets a new session cookie',
    body: StepUp,
    reply: z.object({ validUntil: Timestamp }),
    refuses: ['invalid_credentials', 'too_many_requests'],
  },
} satisfies Record<string, RouteSchemas>

export const sessionEndingSchemas = {
  read: {
    summary: 'Why the session of this browser has ended, in a sentence; null where there was none, or it goes on',
    reply: z.object({ message: z.nullable(z.string()) }),
  },
}
