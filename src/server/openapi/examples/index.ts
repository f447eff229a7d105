import type { CallName, GroupName } from '#contract/schemas/routes.ts'
import { accountSecurity, alerts, sessionEndings } from './account-security.ts'
import { activity, notes, peek } from './activity.ts'
import { approvals } from './approvals.ts'
import { bulk } from './bulk.ts'
import { bank } from './bank.ts'
import * as ofAnalytics from './analytics.ts'
import * as ofConsole from './console.ts'
import { endpoints } from './endpoints.ts'
import type { ExamplesOf } from './example-types.ts'
import { auth, factors } from './factors.ts'
import * as ofMembers from './members.ts'
import { account, oidc, operators } from './operators.ts'
import { reconciliation } from './reconciliation.ts'
import { platform } from './platform.ts'
import { treasury } from './treasury.ts'
import { views } from './views.ts'

const byGroup: { [G in GroupName]: ExamplesOf<G> } = {
  platform,
  account,
  activity,
  notes,
  views,
  peek,
  accountSecurity,
  alerts,
  sessionEndings,
  endpoints,
  auth,
  factors,
  oidc,
  operators,
  approvals,
  bulk,
  bank,
  reconciliation,
  treasury,
  ...ofMembers,
  ...ofAnalytics,
  ...ofConsole,
}

interface Example {
  params?: object | undefined
  query?: object | undefined
  body?: unknown
  rawBody?: unknown
  reply?: unknown
}

/** A call and its answer for every call there is. */
export const examples = Object.fromEntries(
  Object.entries(byGroup).flatMap(([group, calls]) =>
    Object.entries<Example>(calls).map(([key, example]) => [`${group}.${key}`, example]),
  ),
  // The type of `byGroup` names every call.
) as Record<CallName, Example>
