import type { Routes } from './route.ts'
import type { oidcSchemas } from './schemas/oidc.ts'

/** By what an operator signs in. */
export const signInWays = ['password', 'provider'] as const

/** How long the browser may stay at the provider. */
export const providerMinutes = 10

/** Where the provider sends the browser. It is registered there, behind the origin of PUBLIC_URL. */
export const providerReturnPath = '/api/auth/oidc/callback'

/** Behind the path of a page: the sign-in form shows the second step at once. */
export const secondStepHash = '#second-step'

export const longestPagePath = 2000

/** Whether a path is that of a page of the console. Browsers read `//` and `/\` as another host. */
export const isPagePath = (path: string): boolean =>
  path.length <= longestPagePath && /^\/(?![/\\])(?!api(\/|$))[^\\\p{Cc}]*$/u.test(path)

/** Sign-in at a provider by OpenID Connect (product 2.10). */
export const oidcRoutes: Routes<typeof oidcSchemas> = {
  begin: { method: 'POST', path: '/api/auth/oidc/start', access: 'public', repeatable: true },
  beginStepUp: {
    method: 'POST',
    path: '/api/auth/oidc/step-up',
    access: 'admin',
    enrolment: true,
    confirms: true,
    repeatable: true,
  },
  beginLink: { method: 'POST', path: '/api/account/provider', access: 'admin', stepUp: true, repeatable: true },
}
