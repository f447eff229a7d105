import { createAuthenticator } from './authenticator.ts'
import type { NamedChange } from './crash-bank.ts'
import { type Change, type Console, type CrashTools } from './crash-test.ts'
import { showCode } from './factor-browser.ts'
import { createSession, password, type TestServer } from './server.ts'
import { openChallenge } from '#server/features/auth/factors/challenges.ts'
import { replaceRecoveryCodes } from '#server/features/auth/factors/recovery-codes.ts'
import { sealSeed } from '#server/features/auth/factors/seed-key.ts'
import { createSeed } from '#server/features/auth/factors/totp.ts'
import { newToken } from '#server/features/auth/service.ts'

/** One id for all devices, so that the rows of one change are those of the next; the rows before go. */
const createDevice = () => createAuthenticator({ origin: 'http://localhost', rpId: 'localhost', id: 'cGFzc2tleQ' })

/** Admins with factors, and what they have begun. */
function createFactorFixtures(server: TestServer, makeAdmin: () => Promise<string>) {
  const { config, database } = server.services

  async function makeSignedIn() {
    await server.sql('DELETE FROM admin_factors')
    const username = await makeAdmin()
    const cookie = await createSession(server, username)
    const [row] = await server.sql<{ id: string; session: string }>(
      `SELECT a.id::text, s.id::text AS session FROM admins a JOIN sessions s ON s.admin_id = a.id WHERE username = $1`,
      [username],
    )
    return { username, adminId: row!.id, sessionId: row!.session, cookie }
  }
  /** An admin with an authenticator app and a recovery code, and a sign-in that waits. */
  async function makeApp() {
    const admin = await makeSignedIn()
    const { seed, secret } = createSeed(admin.username)
    const { secretEnc, keyId } = await sealSeed(config, admin.adminId, seed)
    const [row] = await server.sql<{ id: string }>(
      `INSERT INTO admin_factors (admin_id, kind, name, secret_enc, key_id, last_step)
       VALUES ($1, 'totp', 'Phone', $2, $3, 0) RETURNING id::text`,
      [admin.adminId, secretEnc, keyId],
    )
    const pending = newToken()
    const [recoveryCode] = await database.transaction(async (tx) => {
      const owner = { purpose: 'sign_in', adminId: admin.adminId, sessionId: null } as const
      await openChallenge(tx, { ...owner, value: pending, minutes: 5 })
      return replaceRecoveryCodes(tx, admin.adminId)
    })
    return {
      ...admin,
      factorId: row!.id,
      code: showCode(secret),
      recoveryCode: recoveryCode!,
      pending: `mfa=${pending}`,
    }
  }
  const callOf = async (cookie: string, url: string) =>
    (await server.app.inject({ method: 'POST', url, headers: { cookie } })).json()
  /** A passkey that a browser has created, to be added. */
  async function makeCreatedPasskey() {
    const admin = await makeSignedIn()
    const { options } = await callOf(admin.cookie, '/api/account/factors/passkey/options')
    const device = createDevice()
    return { ...admin, device, response: device.create(options) }
  }
  /** An admin with a passkey that has signed the challenge of a sign-in. */
  async function makeUsedPasskey() {
    const { device, ...admin } = await makeCreatedPasskey()
    const { options } = await callOf(admin.cookie, '/api/account/factors/passkey/options')
    await server.app.inject({
      method: 'POST',
      url: '/api/account/factors/passkey',
      headers: { cookie: admin.cookie },
      payload: { name: 'Laptop', response: device.create(options) },
    })
    const value = newToken()
    const owner = { purpose: 'sign_in', adminId: admin.adminId, sessionId: null } as const
    await database.transaction((tx) => openChallenge(tx, { ...owner, value, minutes: 5 }))
    const pending = `mfa=${value}`
    const { passkey } = await callOf(pending, '/api/auth/mfa/options')
    return { ...admin, pending, response: device.use(passkey) }
  }
  /** The seed of an app that waits for its first code. */
  async function makeSetup() {
    const admin = await makeSignedIn()
    const { setup, secret } = await callOf(admin.cookie, '/api/account/factors/totp/options')
    return { ...admin, setup: String(setup), code: showCode(String(secret)) }
  }
  return { makeSignedIn, makeApp, makeCreatedPasskey, makeUsedPasskey, makeSetup }
}

const send = ({ app }: Console, cookie: string, method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) })

/** The changes of second factors and what goes with them, to be killed at each statement. */
export function createFactorChanges(
  server: TestServer,
  { crashAtEachStatement, makeAdmin }: CrashTools,
): NamedChange[] {
  const { makeSignedIn, makeApp, makeCreatedPasskey, makeUsedPasskey, makeSetup } = createFactorFixtures(
    server,
    makeAdmin,
  )
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)
  const factors = '/api/account/factors'
  return [
    [
      'the first step of a sign-in',
      'POST /api/auth/login',
      change({
        make: makeApp,
        act: (by, { username }) => send(by, '', 'POST', '/api/auth/login', { username, password }),
      }),
    ],
    [
      'a challenge for a passkey at sign-in',
      'POST /api/auth/mfa/options',
      change({ make: makeUsedPasskey, act: (by, { pending }) => send(by, pending, 'POST', '/api/auth/mfa/options') }),
    ],
    [
      'a sign-in by passkey',
      'POST /api/auth/mfa/passkey',
      change({
        make: makeUsedPasskey,
        act: (by, { pending, response }) => send(by, pending, 'POST', '/api/auth/mfa/passkey', { response }),
        statusAgain: 401,
      }),
    ],
    [
      'a sign-in by code',
      'POST /api/auth/mfa/totp',
      change({
        make: makeApp,
        act: (by, { pending, code }) => send(by, pending, 'POST', '/api/auth/mfa/totp', { code }),
        statusAgain: 401,
      }),
    ],
    [
      'a sign-in by recovery code',
      'POST /api/auth/mfa/recovery',
      change({
        make: makeApp,
        act: (by, { pending, recoveryCode: code }) => send(by, pending, 'POST', '/api/auth/mfa/recovery', { code }),
        statusAgain: 401,
      }),
    ],
    [
      'a challenge for a passkey in a session',
      'POST /api/auth/step-up/options',
      change({ make: makeUsedPasskey, act: (by, { cookie }) => send(by, cookie, 'POST', '/api/auth/step-up/options') }),
    ],
    [
      'a step-up',
      'POST /api/auth/step-up',
      change({
        make: makeApp,
        act: (by, { cookie, code }) => send(by, cookie, 'POST', '/api/auth/step-up', { method: 'totp', code }),
        statusAgain: 401,
      }),
    ],
    [
      'the options of a new passkey',
      'POST /api/account/factors/passkey/options',
      change({ make: makeSignedIn, act: (by, { cookie }) => send(by, cookie, 'POST', `${factors}/passkey/options`) }),
    ],
    [
      'a new passkey',
      'POST /api/account/factors/passkey',
      change({
        make: makeCreatedPasskey,
        act: (by, { cookie, response }) => send(by, cookie, 'POST', `${factors}/passkey`, { name: 'Laptop', response }),
        statusAgain: 400,
      }),
    ],
    [
      'the seed of a new authenticator app',
      'POST /api/account/factors/totp/options',
      change({ make: makeSignedIn, act: (by, { cookie }) => send(by, cookie, 'POST', `${factors}/totp/options`) }),
    ],
    [
      'a new authenticator app',
      'POST /api/account/factors/totp',
      change({
        make: makeSetup,
        act: (by, { cookie, setup, code }) =>
          send(by, cookie, 'POST', `${factors}/totp`, { name: 'Phone', setup, code }),
        statusAgain: 400,
      }),
    ],
    [
      'a new name of a factor',
      'PATCH /api/account/factors/:id',
      change({
        make: makeApp,
        act: (by, { cookie, factorId }) => send(by, cookie, 'PATCH', `${factors}/${factorId}`, { name: 'Old phone' }),
      }),
    ],
    [
      'the removal of a factor',
      'DELETE /api/account/factors/:id',
      change({
        make: makeApp,
        act: (by, { cookie, factorId }) => send(by, cookie, 'DELETE', `${factors}/${factorId}`),
        statusAgain: 404,
      }),
    ],
    [
      'new recovery codes',
      'POST /api/account/recovery-codes',
      change({ make: makeApp, act: (by, { cookie }) => send(by, cookie, 'POST', '/api/account/recovery-codes') }),
    ],
  ]
}
