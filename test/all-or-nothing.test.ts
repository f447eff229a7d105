import { expect, test } from 'vitest'
import { allRoutes } from '#contract/schemas/routes.ts'
import { createChanges } from './support/crash-changes.ts'

const changes = await createChanges('the last COMMIT')

test.each(changes)(
  '%s (%s) killed at its COMMIT stands whole or not at all (CONTRIBUTING rule 3)',
  (_what, _by, prove) => prove(),
)

test('every call of the console that changes anything is among them', () => {
  // Their tries go out between two transactions: test/fault-messages.test.ts.
  const sending = ['/api/kyc/submit-for-verification', '/api/kyc/webhook-retry']
  const reading = ['/api/bank/lines/:id/score', '/api/exports']
  const proven = [...changes.map(([, by]) => by), ...[...sending, ...reading].map((path) => `POST ${path}`)]
  // Of the platform's calls the one that brings a file.
  const isProven = (path: string) => !path.startsWith('/api/platform/') || path.endsWith('/bank-statements')
  const asked = allRoutes
    .filter(({ route: { method, path } }) => method !== 'GET' && isProven(path))
    .map(({ route: { method, path } }) => `${method} ${path}`)
  expect(asked.length).toBeGreaterThan(10)
  expect(asked.filter((call) => !proven.includes(call))).toEqual([])
})
