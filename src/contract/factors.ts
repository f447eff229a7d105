import type { Routes } from './route.ts'
import type { factorSchemas } from './schemas/factors.ts'
import { listKeys } from './states.ts'

/** What an admin can add as a second factor. */
export const factorLabels = { passkey: 'Passkey', totp: 'Authenticator app' }
export const factorKinds = listKeys(factorLabels)
export type FactorKind = (typeof factorKinds)[number]

/** What completes a sign-in after the password. Recovery codes come with the first factor. */
export const factorMethods = [...factorKinds, 'recovery'] as const
export type FactorMethod = (typeof factorMethods)[number]

/** What renews an authentication: of an admin without a factor the provider or the password, else a factor. */
export const stepUpMethods = ['oidc', 'password', ...factorMethods] as const
export type StepUpMethod = (typeof stepUpMethods)[number]

/** Calls with `stepUp` require that the admin has authenticated in these last minutes (product 2.9). */
export const stepUpMinutes = 15

/** How long after the password a factor completes the sign-in, and how long the challenge of a passkey is valid. */
export const challengeMinutes = 5
/** How long the key of an authenticator app waits for its first code. */
export const totpSetupMinutes = 15

export const factorRequired = 'A second factor is required here: add one to your account first'
/** Any change is refused with this where a session's network or browser is not that of the sign-in (product 2.9). */
export const newPlaceStepUp = 'This session is used from another network or browser than at sign-in: confirm it’s you'
export const stepUpRequired = `This needs a sign-in of the last ${stepUpMinutes} minutes: confirm it’s you`

export const mostFactors = 10
export const longestFactorName = 60
export const recoveryCodeCount = 10

export const factorRoutes: Routes<typeof factorSchemas> = {
  list: { method: 'GET', path: '/api/account/factors', access: 'admin', enrolment: true },
  beginPasskey: {
    method: 'POST',
    path: '/api/account/factors/passkey/options',
    access: 'admin',
    enrolment: true,
    stepUp: true,
  },
  addPasskey: { method: 'POST', path: '/api/account/factors/passkey', access: 'admin', enrolment: true, stepUp: true },
  beginTotp: {
    method: 'POST',
    path: '/api/account/factors/totp/options',
    access: 'admin',
    enrolment: true,
    stepUp: true,
  },
  addTotp: { method: 'POST', path: '/api/account/factors/totp', access: 'admin', enrolment: true, stepUp: true },
  rename: { method: 'PATCH', path: '/api/account/factors/:id', access: 'admin', stepUp: true },
  remove: { method: 'DELETE', path: '/api/account/factors/:id', access: 'admin', stepUp: true },
  createRecoveryCodes: { method: 'POST', path: '/api/account/recovery-codes', access: 'admin', stepUp: true },
}
