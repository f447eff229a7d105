import { hash } from '@node-rs/argon2'
import type { NamedChange } from './crash-bank.ts'
import { type Change, type CrashTools } from './crash-test.ts'
import { createSession, password, type TestServer } from './server.ts'

interface SignInTools extends Pick<CrashTools, 'crashAtEachStatement'> {
  makeAdmin: (passwordHash?: string) => Promise<string>
}

const quickHash = await hash('another password', { memoryCost: 1024, timeCost: 1 })

/** Sign-ins and sign-outs, to be killed at each statement. */
export function createSignInChanges(
  server: TestServer,
  { crashAtEachStatement, makeAdmin }: SignInTools,
): NamedChange[] {
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)
  return [
    [
      'a sign-in',
      'POST /api/auth/login',
      change({
        make: () => makeAdmin(),
        act: ({ app }, username) =>
          app.inject({ method: 'POST', url: '/api/auth/login', payload: { username, password } }),
      }),
    ],
    [
      'a failed sign-in',
      'POST /api/auth/login',
      change({
        make: () => makeAdmin(quickHash),
        act: async ({ app }, username) => {
          // One that died half-way may count; the next would say so.
          await server.sql('DELETE FROM sign_in_throttles')
          return app.inject({ method: 'POST', url: '/api/auth/login', payload: { username, password: 'not this one' } })
        },
      }),
    ],
    [
      'a sign-out',
      'POST /api/auth/logout',
      change({
        make: async () => createSession(server, await makeAdmin()),
        act: ({ app }, cookie) => app.inject({ method: 'POST', url: '/api/auth/logout', headers: { cookie } }),
      }),
    ],
  ]
}
