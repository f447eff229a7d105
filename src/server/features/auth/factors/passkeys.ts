import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers'
import { and, asc, eq, sql } from 'drizzle-orm'
import { challengeMinutes } from '#contract/factors.ts'
import {
  passkeyTransports,
  type PasskeyAssertion,
  type PasskeyCreation,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  type PasskeyTransport,
} from '#contract/schemas/passkeys.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { adminFactors } from '#server/db/tables/factors.ts'
import { openChallenge, redeemChallenge, type ChallengeOwner } from './challenges.ts'
import type { RelyingParty } from './relying-party.ts'

const partyName = 'Back Office'
const timeout = challengeMinutes * 60_000
/** Ed25519, ECDSA with P-256, RSA PKCS#1: what authenticators have. Named, since the library's default asks an experimental call. */
const supportedAlgorithmIDs = [-8, -7, -257]

/** A passkey as the database holds it. */
export interface NewPasskey {
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: PasskeyTransport[]
}

const isTransport = (name: string): name is PasskeyTransport => passkeyTransports.some((known) => known === name)
const keepTransports = (names: readonly string[] | null | undefined) => (names ?? []).filter(isTransport)

/** The credentials of an admin, for the options of both ceremonies. */
async function listCredentials(tx: Tx, adminId: string) {
  const rows = await tx
    .select({ id: adminFactors.credentialId, transports: adminFactors.transports })
    .from(adminFactors)
    .where(and(eq(adminFactors.adminId, adminId), eq(adminFactors.kind, 'passkey')))
    .orderBy(asc(adminFactors.id))
  return rows.map(({ id, transports }) => ({
    id: id!,
    type: 'public-key' as const,
    transports: keepTransports(transports),
  }))
}

/** Options to create a passkey, with a challenge that is valid once. */
export async function beginPasskeyCreation(
  tx: Tx,
  party: RelyingParty,
  { username, ...owner }: ChallengeOwner & { username: string },
): Promise<PasskeyCreationOptions> {
  const excludeCredentials = await listCredentials(tx, owner.adminId)
  const { challenge, user, pubKeyCredParams } = await generateRegistrationOptions({
    rpName: partyName,
    rpID: party.id,
    userName: username,
    userDisplayName: username,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs,
  })
  await openChallenge(tx, { ...owner, value: challenge, minutes: challengeMinutes })
  return {
    rp: { id: party.id, name: partyName },
    user,
    challenge,
    pubKeyCredParams: pubKeyCredParams.map(({ alg }) => ({ type: 'public-key', alg })),
    timeout,
    excludeCredentials,
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
}

/** Options to use one of the admin's passkeys, with a challenge that is valid once. */
export async function beginPasskeyUse(
  tx: Tx,
  party: RelyingParty,
  owner: ChallengeOwner,
): Promise<PasskeyRequestOptions> {
  const allowCredentials = await listCredentials(tx, owner.adminId)
  const { challenge } = await generateAuthenticationOptions({ rpID: party.id, userVerification: 'required' })
  await openChallenge(tx, { ...owner, value: challenge, minutes: challengeMinutes })
  return { rpId: party.id, challenge, timeout, allowCredentials, userVerification: 'required' }
}

/** The challenge that a browser answers, used up before its answer is judged. Null if the owner has none such open. */
async function takeChallenge(tx: Tx, clientDataJSON: string, owner: ChallengeOwner): Promise<string | null> {
  let challenge: unknown
  try {
    challenge = decodeClientDataJSON(clientDataJSON).challenge
  } catch {
    return null
  }
  if (typeof challenge !== 'string') return null
  return (await redeemChallenge(tx, challenge, owner)) && challenge
}

/** The verdict of a check that throws for what is wrong with the answer. */
async function judge<T>(ctx: Ctx, check: Promise<T>): Promise<T | null> {
  try {
    return await check
  } catch (error) {
    ctx.log.info({ err: error }, 'a passkey was refused')
    return null
  }
}

/** The passkey that a browser created, or null if the answer is not accepted. The challenge is used up in any case. */
export async function readCreatedPasskey(
  tx: Tx,
  ctx: Ctx,
  party: RelyingParty,
  owner: ChallengeOwner,
  given: PasskeyCreation,
): Promise<NewPasskey | null> {
  const expectedChallenge = await takeChallenge(tx, given.response.clientDataJSON, owner)
  if (expectedChallenge === null) return null
  const { clientDataJSON, attestationObject, transports } = given.response
  const verdict = await judge(
    ctx,
    verifyRegistrationResponse({
      response: {
        id: given.id,
        rawId: given.rawId,
        type: given.type,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs,
    }),
  )
  if (verdict?.verified !== true) return null
  const { id, publicKey, counter } = verdict.registrationInfo.credential
  return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports: keepTransports(transports) }
}

/** The admin's passkey that signed the answer, or null. The challenge is used up in any case. The caller has locked the admin. */
export async function acceptPasskey(
  tx: Tx,
  ctx: Ctx,
  party: RelyingParty,
  owner: ChallengeOwner,
  given: PasskeyAssertion,
): Promise<string | null> {
  const expectedChallenge = await takeChallenge(tx, given.response.clientDataJSON, owner)
  if (expectedChallenge === null) return null
  const [passkey] = await tx
    .select()
    .from(adminFactors)
    .where(and(eq(adminFactors.adminId, owner.adminId), eq(adminFactors.credentialId, given.id)))
  if (!passkey) return null
  const { clientDataJSON, authenticatorData, signature } = given.response
  const verdict = await judge(
    ctx,
    verifyAuthenticationResponse({
      response: {
        id: given.id,
        rawId: given.rawId,
        type: given.type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      // The table's check: a passkey has all of them.
      credential: {
        id: passkey.credentialId!,
        publicKey: new Uint8Array(passkey.publicKey!),
        counter: passkey.counter!,
      },
      requireUserVerification: true,
    }),
  )
  if (verdict?.verified !== true) return null
  await tx
    .update(adminFactors)
    .set({ counter: verdict.authenticationInfo.newCounter, lastUsedAt: sql`now()` })
    .where(eq(adminFactors.id, passkey.id))
  return passkey.id
}
