import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { isPagePath, longestPagePath } from '#contract/oidc.ts'
import { text } from './common.ts'

const ProviderAddress = z.object({ url: z.string() })

/** The path of a page to show after the sign-in. Absent: the return closes its window. */
const returnTo = z.optional(
  text(longestPagePath).check(z.refine(isPagePath, 'must be the path of a page of the console')),
)

export const oidcSchemas = {
  begin: {
    summary: 'Begin a sign-in at the provider: where the browser goes',
    body: z.strictObject({ returnTo }),
    reply: ProviderAddress,
    refuses: ['not_found', 'too_many_requests', 'provider_unavailable'],
  },
  beginStepUp: {
    summary: 'Begin to renew the authentication of this session at the provider: where the browser goes',
    reply: ProviderAddress,
    refuses: ['not_found', 'too_many_requests', 'provider_unavailable'],
  },
  beginLink: {
    summary: 'Begin to link the own account to the provider: where the browser goes',
    reply: ProviderAddress,
    refuses: ['not_found', 'too_many_requests', 'provider_unavailable'],
  },
} satisfies Record<string, RouteSchemas>
