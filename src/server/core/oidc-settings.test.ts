import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('groups have their roles in order, and the provider its defaults', () => {
  const { oidc, isLocalSignInOpen } = readConfig({
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'console',
    OIDC_ROLES: 'Console admins = super_admin, a=b=viewer',
  })
  expect(isLocalSignInOpen).toBe(true)
  expect(oidc).toEqual({
    issuer: 'https://id.example/',
    clientId: 'console',
    clientSecret: undefined,
    name: 'single sign-on',
    scopes: 'openid profile',
    groupsClaim: 'groups',
    roles: [
      ['Console admins', 'super_admin'],
      ['a=b', 'viewer'],
    ],
    secondFactors: [],
  })
})
