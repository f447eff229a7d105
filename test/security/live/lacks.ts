import { findSessionLack } from './session.ts'
import type { Need, Target } from './target.ts'

/** What the target lacks of each need; empty where every check can be made. Signs in, for the session of all checks. */
export async function findLacks(target: Target): Promise<Partial<Record<Need, string>>> {
  const session = await findSessionLack(target)
  return {
    ...(session && { session }),
    ...(!target.makeKey && { makeKey: 'platform keys of all scopes, made for the check on a console of its own' }),
    ...(!target.findAuditFault && { findAuditFault: 'the database: npm run admin -- audit verify reads the same' }),
  }
}
