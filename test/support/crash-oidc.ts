import { expect } from 'vitest'
import type { NamedChange } from './crash-bank.ts'
import { type Change, type CrashTools } from './crash-test.ts'
import { startHostileProvider } from './fakes/hostile-provider.ts'
import { providerSettings } from './provider.ts'
import { createSession, type TestServer } from './server.ts'

/** A provider in this process, and the settings of a console that signs in with it. */
export async function startCrashProvider() {
  const provider = await startHostileProvider(providerSettings.OIDC_CLIENT_SECRET)
  const settings = { OIDC_ISSUER: provider.issuer, OIDC_ROLES: 'auditors=viewer', ...providerSettings }
  return { provider, settings }
}

/** What begins and ends at the sign-in provider, to be killed at each statement. */
export function createOidcChanges(
  server: TestServer,
  { provider }: Awaited<ReturnType<typeof startCrashProvider>>,
  { crashAtEachStatement, makeAdmin }: CrashTools,
): NamedChange[] {
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)
  const makeSession = async () => createSession(server, await makeAdmin())
  const post = (url: string) =>
    change({
      make: makeSession,
      act: ({ app }, cookie) => app.inject({ method: 'POST', url, headers: { cookie }, payload: {} }),
    })

  /** A browser that comes back from the provider, as somebody whom no operator is linked to. */
  async function makeReturn() {
    await server.sql(`DELETE FROM admins WHERE username = 'vera'`)
    await server.sql('DELETE FROM oidc_flows')
    const begun = await server.app.inject({ method: 'POST', url: '/api/auth/oidc/start', payload: { returnTo: '/' } })
    const asked = new URL(begun.json().url).searchParams
    const now = Math.floor(Date.now() / 1000)
    const named = {
      iss: provider.issuer,
      aud: 'console',
      sub: 'vera',
      preferred_username: 'vera',
      groups: ['auditors'],
    }
    provider.answer({ claims: { ...named, iat: now, exp: now + 60, nonce: asked.get('nonce') } })
    const query = new URLSearchParams({ code: 'a-code', state: asked.get('state')!, iss: provider.issuer })
    return { url: `/api/auth/oidc/callback?${query}`, cookie: `oidc=${begun.cookies[0]!.value}` }
  }
  return [
    ['the beginning of a sign-in at the provider', 'POST /api/auth/oidc/start', post('/api/auth/oidc/start')],
    ['the beginning of a confirmation there', 'POST /api/auth/oidc/step-up', post('/api/auth/oidc/step-up')],
    ['the beginning of a link to it', 'POST /api/account/provider', post('/api/account/provider')],
    [
      'the first sign-in by it',
      'GET /api/auth/oidc/callback',
      change({
        make: makeReturn,
        act: ({ app }, { url, cookie }) => app.inject({ url, headers: { cookie } }),
        statusAgain: 400,
        // What was begun is used up on its own, before the code is redeemed.
        checkBetween: (found) => expect(found.filter((line) => !line.includes('oidc_flows'))).toEqual([]),
      }),
    ],
  ]
}
