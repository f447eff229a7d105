import { authRoutes } from '#contract/auth.ts'
import type { Admin, StepUp } from '#contract/schemas/auth.ts'
import { call } from '#web/api.ts'

export const fetchSignInChallenge = () => call(authRoutes.mfaOptions)

/** Completes a sign-in, after the password, with a factor. */
export async function completeWithFactor(proof: StepUp): Promise<Admin> {
  if (proof.method === 'passkey')
    return (await call(authRoutes.mfaPasskey, { body: { response: proof.response } })).admin
  if (proof.method === 'password') throw new Error('the password was given before')
  const route = proof.method === 'totp' ? authRoutes.mfaTotp : authRoutes.mfaRecovery
  return (await call(route, { body: { code: proof.code } })).admin
}
