import { and, desc, eq, sql } from 'drizzle-orm'
import { platformEvent } from '#contract/schemas/platform-events.ts'
import type { TokenKind } from '#contract/token-kinds.ts'
import { missingTokenFields, tokenKindLabels } from '#contract/tokens.ts'
import type { NewToken, Token } from '#contract/schemas/tokens.ts'
import { trimText } from '#contract/visible.ts'
import { announce, audit } from '#server/core/audit.ts'
import { enqueueEvent } from '#server/core/enqueue.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { ListRequest } from '#server/db/list.ts'
import { expressions, type RowOf } from '#server/db/select.ts'
import { tokens } from '#server/db/tables/tokens.ts'
import { AppError, formatInstant, notFound, requireVersion, describeSetter } from '#server/lib/errors.ts'
import { requestRelabel } from '#server/features/transactions/service.ts'
import { tidyAddress, tidyLink, tidyLogo, tidySymbol } from './save.ts'
import { omit } from '#server/lib/omit.ts'

type TokenRow = typeof tokens.$inferSelect

/** A limit for a list without pages. A platform has tens of tokens. */
const maxListed = 5000

const tokenColumns = {
  id: tokens.id,
  logo: tokens.logo,
  projectName: tokens.projectName,
  projectLink: tokens.projectLink,
  contractAddress: tokens.contractAddress,
  tokenSymbol: tokens.tokenSymbol,
  decimals: tokens.decimals,
  isActive: tokens.isActive,
  createdAt: tokens.createdAt,
  version: tokens.version,
}

const chainColumns = {
  chainHasCode: tokens.chainHasCode,
  chainName: tokens.chainName,
  chainSymbol: tokens.chainSymbol,
  chainDecimals: tokens.chainDecimals,
  chainCheckedAt: tokens.chainCheckedAt,
}

/** What the contract says. Null if it was not read yet. */
function readChainFacts(row: RowOf<typeof chainColumns>): Token['chain'] {
  const { chainName: name, chainSymbol: symbol, chainDecimals: decimals, chainCheckedAt: checkedAt } = row
  return checkedAt === null ? null : { hasCode: row.chainHasCode === true, name, symbol, decimals, checkedAt }
}

/** All tokens of a kind, newest first. */
export async function listTokens({ database }: Ctx, kind: TokenKind): Promise<Token[]> {
  const rows = await database.db
    .select({ ...tokenColumns, ...chainColumns })
    .from(tokens)
    .where(eq(tokens.kind, kind))
    .orderBy(desc(tokens.createdAt), desc(tokens.id))
    .limit(maxListed)
  return rows.map((row) => ({ ...row, chain: readChainFacts(row) }))
}

/** The same list for its export, without a limit. */
export const buildTokenList = (kind: TokenKind): ListRequest => ({
  list: { table: 'tokens', at: 'created_at', select: expressions(tokenColumns, 't') },
  filters: [{ rows: `t.kind = '${kind}'`, leaves: null }],
})

/** Adds a token (product 9.5, 6.7). Throws invalid, and token_taken for an address that its kind already has. */
export async function createToken(ctx: Ctx, kind: TokenKind, given: NewToken): Promise<Token> {
  const { projectName, tokenSymbol, contractAddress } = requireFields(given)
  return inTransaction(ctx, async (tx) => {
    const address = tidyAddress(contractAddress)
    const [token] = await tx
      .insert(tokens)
      .values({
        kind,
        projectName,
        tokenSymbol: tidySymbol(tokenSymbol),
        contractAddress: address,
        logo: tidyLogo(kind, given.logo),
        projectLink: tidyLink(given.projectLink),
        decimals: given.decimals,
        isActive: given.isActive,
        activeSetBy: ctx.actor.name,
        activeSetAt: sql`now()`,
      })
      .onConflictDoNothing({ target: [tokens.kind, tokens.contractAddress] })
      .returning(tokenColumns)
    if (!token) throw await addressTakenError(tx, kind, address)
    await requestRelabel(tx, [address])
    const after = omit(token, ['id', 'createdAt', 'version'])
    await audit(tx, ctx, { action: 'create_token', target: { type: 'token', id: token.id }, details: { kind, after } })
    await announceToken(tx, ctx, 'token.created', kind, token)
    return { ...token, chain: null }
  })
}

/** Product 9.5: one message for all missing fields. `details` names them. */
function requireFields(given: NewToken) {
  const fields = {
    projectName: trimText(given.projectName),
    tokenSymbol: trimText(given.tokenSymbol),
    contractAddress: given.contractAddress ?? '',
  }
  const missing = Object.entries(fields).filter(([, value]) => value === '')
  if (missing.length === 0) return fields
  const details = missing.map(([field]) => ({ field, message: 'is required' }))
  throw new AppError('invalid', missingTokenFields.text, { details })
}

/** The error for a taken address: names its token, its state and who set it (product 8.5). */
async function addressTakenError(tx: Tx, kind: TokenKind, address: string) {
  const [present] = await tx
    .select()
    .from(tokens)
    .where(and(eq(tokens.kind, kind), eq(tokens.contractAddress, address)))
  const named = present ? `${present.projectName} (${present.tokenSymbol}), ${stateWord(present)}` : 'another token'
  const problem = `contractAddress: this address already stands under ${tokenKindLabels[kind]} as ${named}`
  const message = describeSetter(problem, present?.activeSetBy, present?.activeSetAt)
  return new AppError('token_taken', message, {
    details: [{ field: 'contractAddress', message: message.replace('contractAddress: ', '') }],
  })
}

const stateWord = ({ isActive }: { isActive: boolean }) => (isActive ? 'active' : 'inactive')

/**
 * Switches a token on or off (product 7.5). Setting the present state again changes nothing and sends nothing. Throws
 * not_found, and stale if `ifMatch` is not the version of the token.
 */
export async function setTokenActive(
  ctx: Ctx,
  { kind, id }: { kind: TokenKind; id: string },
  isActive: boolean,
  ifMatch: number | undefined,
): Promise<Token> {
  return inTransaction(ctx, async (tx) => {
    const [present] = await tx
      .select()
      .from(tokens)
      .where(and(eq(tokens.id, id), eq(tokens.kind, kind)))
      .for('no key update')
    if (!present) throw notFound('Token')
    requireVersion(ifMatch, present.version, () => staleTokenError(present))
    if (present.isActive === isActive) return { ...present, chain: readChainFacts(present) }
    const [token] = await tx
      .update(tokens)
      .set({ isActive, activeSetBy: ctx.actor.name, activeSetAt: sql`now()`, version: present.version + 1 })
      .where(eq(tokens.id, id))
      .returning(tokenColumns)
    const { projectName, tokenSymbol } = present
    await audit(tx, ctx, {
      action: 'update_token',
      target: { type: 'token', id },
      details: { kind, projectName, tokenSymbol, before: { isActive: present.isActive }, after: { isActive } },
    })
    await announceToken(tx, ctx, 'token.updated', kind, token!)
    return { ...token!, chain: readChainFacts(present) }
  })
}

function staleTokenError(token: TokenRow) {
  const { activeSetBy: by, activeSetAt: at, version, isActive } = token
  const who = by && at ? `last set by ${by} on ${formatInstant(at)}` : 'by the platform'
  const message = `This token was changed meanwhile, ${who}: now ${stateWord(token)}. Look again and decide.`
  return new AppError('stale', message, { details: { version, isActive, by, at } })
}

/** Sends the event and announces the change to open consoles. */
async function announceToken(
  tx: Tx,
  ctx: Ctx,
  type: 'token.created' | 'token.updated',
  kind: TokenKind,
  token: RowOf<typeof tokenColumns>,
) {
  const { id: tokenId, version, ...fields } = omit(token, ['createdAt'])
  // A contract may be registered under both kinds, as two tokens with their own versions.
  const entityId = `${kind}/${token.contractAddress}`
  await enqueueEvent(tx, ctx, platformEvent(type, { id: entityId, version, data: { tokenId, kind, ...fields } }))
  await announce(tx, 'tokens', 'analytics')
}
