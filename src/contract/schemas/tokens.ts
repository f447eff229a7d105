import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { addressProblem } from '#contract/common.ts'
import { tokenKinds } from '#contract/token-kinds.ts'
import { decimalsRange, isLogo, longestSymbol, tokenRules } from '#contract/tokens.ts'
import { Address, Past, RowId, text, Timestamp } from './common.ts'

/** What a token's contract said of itself when it was last asked; null where it said nothing that can be read. */
const OnChain = z.object({
  /** A token without code may be built into the chain itself, and then answers all the same. */
  hasCode: z.boolean(),
  name: z.nullable(z.string()),
  symbol: z.nullable(z.string()),
  decimals: z.nullable(z.int()),
  checkedAt: Timestamp,
})

export const Token = z.object({
  id: z.string(),
  logo: z.string(),
  projectName: z.string(),
  projectLink: z.nullable(z.string()),
  contractAddress: z.string(),
  tokenSymbol: z.string(),
  decimals: z.int(),
  isActive: z.boolean(),
  createdAt: Timestamp,
  version: z.int(),
  /** Null until the contract was asked. */
  chain: z.nullable(OnChain),
})
export type Token = z.infer<typeof Token>

const Logo = text(64).check(z.refine(isLogo, tokenRules.logo.problem))
const Link = text(2048).check(z.refine(tokenRules.projectLink.holds, tokenRules.projectLink.problem))
/** Capitals may be more than the small letters: ß is SS. */
const inCapitals = z.refine<string>(
  (symbol) => symbol.toUpperCase().length <= longestSymbol,
  `must have at most ${longestSymbol} characters in capitals`,
)
const Decimals = z
  .int(tokenRules.decimals.problem)
  .check(
    z.minimum(decimalsRange.min, tokenRules.decimals.problem),
    z.maximum(decimalsRange.max, tokenRules.decimals.problem),
  )

/** The name, symbol and address that a token can't be without; empty ones have a message of their own (product 9.5). */
const required = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

/** The symbol is upper-cased and an empty logo becomes the kind's own, on the server. */
export const NewToken = z.strictObject({
  logo: z.optional(z.nullable(Logo)),
  projectName: required(text(100)),
  projectLink: z.optional(z.nullable(Link)),
  contractAddress: required(z.union([z.literal(''), Address], { error: addressProblem })),
  tokenSymbol: required(text(longestSymbol).check(inCapitals)),
  decimals: z.prefault(Decimals, decimalsRange.preset),
  isActive: z.prefault(z.boolean(), true),
})
export type NewToken = z.infer<typeof NewToken>

/** A token as the platform brings it (product 10.2): what is absent never changes a stored value. */
export const TokenBody = z.strictObject({
  projectName: text(100, 1),
  tokenSymbol: text(longestSymbol, 1).check(inCapitals),
  decimals: z.optional(Decimals),
  logo: z.optional(Logo),
  projectLink: z.optional(z.nullable(Link)),
  isActive: z.optional(z.boolean()),
  createdAt: z.optional(Past),
})

const Kind = z.object({ kind: z.enum(tokenKinds) })
const Changed = z.object({ message: z.string(), token: Token })

export const tokenSchemas = {
  list: { summary: 'All tokens of a kind, newest first', params: Kind, reply: z.array(Token) },
  create: { summary: 'Add a token', params: Kind, body: NewToken, reply: Changed, refuses: ['token_taken'] },
  setActive: {
    summary: 'Switch a token on or off',
    params: z.object({ ...Kind.shape, id: RowId }),
    body: z.strictObject({ isActive: z.boolean() }),
    reply: Changed,
  },
} satisfies Record<string, RouteSchemas>
