import { and, eq } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import type { NewToken } from '#contract/schemas/tokens.ts'
import type { TokenKind } from '#contract/token-kinds.ts'
import { tokenKindLabels } from '#contract/tokens.ts'
import { trimText } from '#contract/visible.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { tokens } from '#server/db/tables/tokens.ts'
import type { Target } from '#server/features/approvals/service.ts'

/** A token as the target of a request. Null where there is none. */
export async function findTokenTarget(
  db: Db | Tx,
  { kind, id }: { kind: TokenKind; id: string },
): Promise<Target | null> {
  if (!RowId.safeParse(id).success) return null
  const [token] = await db
    .select({ projectName: tokens.projectName, tokenSymbol: tokens.tokenSymbol, version: tokens.version })
    .from(tokens)
    .where(and(eq(tokens.kind, kind), eq(tokens.id, id)))
  return token
    ? { type: 'token', id, name: `${token.projectName} (${token.tokenSymbol})`, version: token.version }
    : null
}

/** A token that is yet to be added: its kind and address tell it from others. */
export function describeNewToken(kind: TokenKind, given: NewToken): Target {
  const address = (given.contractAddress ?? '').toLowerCase()
  const name = `${trimText(given.projectName)} (${trimText(given.tokenSymbol)}), ${tokenKindLabels[kind]}`
  return { type: 'token', id: `${kind}/${address}`, name, version: null }
}
