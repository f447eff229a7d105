import { describeMissingScope, readScope, scopes, type CallScope, type Scope } from '#contract/scopes.ts'
import type { Access } from '#contract/permissions.ts'
import type { ImportLine, ImportLineType } from '#contract/schemas/platform.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import { inTransaction, type Actor, type Ctx } from '#server/core/context.ts'
import type { Outcome } from '#server/core/upsert.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Line } from './write-lines.ts'

/** The scopes of a caller. A command and the demo have all of them: who runs them has the machine. */
const listScopes = (actor: Actor): readonly Scope[] => (actor.kind === 'platform' ? actor.scopes : scopes)

const missingScopeError = (scope: Scope, message = describeMissingScope(scope)) =>
  new AppError('scope_missing', message, { details: { scope } })

/** Throws scope_missing if the caller's key lacks the scope of the call, and reports that. */
export async function requireScope(ctx: Ctx, access: Access): Promise<void> {
  const scope = readScope(access)
  if (scope === null || listScopes(ctx.actor).includes(scope)) return
  await inTransaction(ctx, (tx) => reportMissingScopes(tx, ctx, [scope]))
  throw missingScopeError(scope)
}

const lineScopes: Record<ImportLineType, CallScope> = {
  member: 'members.write',
  wallet: 'wallets.write',
  kyc: 'kyc.write',
  order: 'orders.write',
  transaction: 'transactions.write',
  chainTransaction: 'transactions.write',
  fraction: 'transactions.write',
  token: 'tokens.write',
}

/** The field of a line that says what was decided elsewhere. */
function findHistory(line: ImportLine): string | undefined {
  if (line.type === 'kyc') return line.decision && 'decision'
  if (line.type !== 'order') return undefined
  if (line.status !== undefined && line.status !== 'waiting_payment') return 'status'
  return (['paidAt', 'completedAt', 'notes'] as const).find((field) => line[field] !== undefined)
}

/** The scope that a line needs and the caller lacks, with the field that needs it. */
function findMissing(granted: readonly Scope[], line: ImportLine): { field: string; scope: Scope } | undefined {
  const scope = lineScopes[line.type]
  if (!granted.includes(scope)) return { field: 'type', scope }
  const field = granted.includes('history') ? undefined : findHistory(line)
  return field === undefined ? undefined : { field, scope: 'history' }
}

/** Lines of an import by the caller's scopes. */
interface LinesByScope {
  allowed: Line[]
  refused: Map<number, Outcome>
  /** The scope that each refused line lacks. */
  missing: Scope[]
}

/** Separates the lines that the caller's scopes allow from those that are refused. */
export function splitByScope({ actor }: Ctx, lines: readonly Line[]): LinesByScope {
  const granted = listScopes(actor)
  const found: LinesByScope = { allowed: [], refused: new Map(), missing: [] }
  for (const each of lines) {
    const lack = findMissing(granted, each.value)
    if (!lack) {
      found.allowed.push(each)
      continue
    }
    const message = `${lack.field}: needs the scope ${lack.scope}, which the platform key does not have`
    found.refused.set(each.line, missingScopeError(lack.scope, message))
    found.missing.push(lack.scope)
  }
  return found
}

/** The refused lines and calls of one key within a minute. */
interface RefusalCount {
  refused: number
  missing: string[]
}

/** Reports a call, or the lines of a batch, that lack a scope. One security event per key and minute counts them. */
export async function reportMissingScopes(tx: Tx, ctx: Ctx, missing: readonly Scope[]): Promise<void> {
  if (missing.length === 0 || ctx.isDryRun) return
  const { name } = ctx.actor
  await countSecurityEvent<RefusalCount>(tx, ctx, {
    type: 'platform_scope_missing',
    severity: 'medium',
    by: { key: name },
    describe(present) {
      const all = [...new Set([...(present?.missing ?? []), ...missing])].toSorted()
      const refused = (present?.refused ?? 0) + missing.length
      const calls = refused === 1 ? 'a call or line' : `${refused.toLocaleString('en')} calls and lines`
      const description = `The platform key ${name} sent ${calls} that it has no scope for: ${all.join(', ')}; refused`
      return { description, details: { refused, missing: all } }
    },
  })
}
