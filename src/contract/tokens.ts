import * as z from 'zod/mini'
import { Address, addressForm, addressProblem, Instant, RowId, text, Timestamp } from './common.ts'
import { route } from './route.ts'

export const tokenKinds = ['earning', 'fractions'] as const
export type TokenKind = (typeof tokenKinds)[number]

export const tokenKindLabels: Record<TokenKind, string> = { earning: 'Earning Tokens', fractions: 'Fractions Tokens' }

/** SPEC section 5: a coin and a puzzle piece. */
export const defaultLogos: Record<TokenKind, string> = { earning: '🪙', fractions: '🧩' }

/** SPEC section 9. */
/** Characters of a token's symbol. */
export const longestSymbol = 32

export const decimalsRange = { min: 0, max: 18, preset: 18 }

/** At most two characters as a person counts them: a flag or a family is one (PRODUCT 3.16). */
export const isLogo = (logo: string): boolean =>
  [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(logo.trim())].length <= 2

/** An http or https address without credentials. */
export function isProjectLink(link: string): boolean {
  if (!URL.canParse(link)) return false
  const { protocol, username, password } = new URL(link)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

/** What a filled-in field has to be, in a form that the browser can judge without schemas. */
export const tokenRules = {
  contractAddress: { holds: (address: string) => address === '' || addressForm.test(address), problem: addressProblem },
  logo: { holds: isLogo, problem: 'must have at most 2 characters' },
  projectLink: {
    holds: (link: string) => link === '' || isProjectLink(link),
    problem: 'must be an http or https address without credentials',
  },
  decimals: {
    holds: (decimals: number) =>
      Number.isInteger(decimals) && decimals >= decimalsRange.min && decimals <= decimalsRange.max,
    problem: 'must be a whole number from 0 to 18',
  },
}

/** SPEC section 5, Add token: the toast's title and text. */
export const missingTokenFields = { title: 'Validation Error', text: 'Please fill in all required fields.' }

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

/** What a contract says of itself. */
export interface ContractWords {
  name: string | null
  symbol: string | null
  decimals: number | null
}

export interface TokenDifference {
  field: 'contractAddress' | 'tokenSymbol' | 'decimals'
  /** "decimals: 6 on the chain, 18 here" */
  text: string
}

/**
 * How a token as registered differs from what its contract says. The name is the contract's own affair, the symbol is
 * compared without regard to case, and what either side leaves open is no difference.
 */
export function differencesOf(
  { tokenSymbol, decimals }: { tokenSymbol: string; decimals: number | null },
  says: ContractWords,
): TokenDifference[] {
  if (says.name === null && says.symbol === null && says.decimals === null)
    return [{ field: 'contractAddress', text: 'contract address: no token answers there' }]
  const symbol = tokenSymbol.trim()
  const isOtherSymbol = says.symbol !== null && symbol !== '' && says.symbol.toUpperCase() !== symbol.toUpperCase()
  const areOtherDecimals = says.decimals !== null && decimals !== null && says.decimals !== decimals
  return [
    ...(isOtherSymbol
      ? [{ field: 'tokenSymbol' as const, text: `symbol: ${says.symbol} on the chain, ${symbol} here` }]
      : []),
    ...(areOtherDecimals
      ? [{ field: 'decimals' as const, text: `decimals: ${says.decimals} on the chain, ${decimals} here` }]
      : []),
  ]
}

const Logo = text(64).check(z.refine(isLogo, tokenRules.logo.problem))
const Link = text(2048).check(z.refine(tokenRules.projectLink.holds, tokenRules.projectLink.problem))
const Decimals = z
  .int(tokenRules.decimals.problem)
  .check(
    z.minimum(decimalsRange.min, tokenRules.decimals.problem),
    z.maximum(decimalsRange.max, tokenRules.decimals.problem),
  )

/** The name, symbol and address that a token can't be without; empty ones have a message of their own (SPEC section 5). */
const required = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

/** The symbol is upper-cased and an empty logo becomes the kind's own, on the server. */
export const NewToken = z.strictObject({
  logo: z.optional(z.nullable(Logo)),
  projectName: required(text(100)),
  projectLink: z.optional(z.nullable(Link)),
  contractAddress: required(z.union([z.literal(''), Address], { error: addressProblem })),
  tokenSymbol: required(text(longestSymbol)),
  decimals: z.prefault(Decimals, decimalsRange.preset),
  isActive: z.prefault(z.boolean(), true),
})
export type NewToken = z.infer<typeof NewToken>

/** A token as the platform brings it (PRODUCT section 4): what is absent never changes a stored value. */
export const TokenBody = z.strictObject({
  projectName: text(100, 1),
  tokenSymbol: text(longestSymbol, 1),
  decimals: z.optional(Decimals),
  logo: z.optional(Logo),
  projectLink: z.optional(z.nullable(Link)),
  isActive: z.optional(z.boolean()),
  createdAt: z.optional(Instant),
})

const Kind = z.object({ kind: z.enum(tokenKinds) })
const Changed = z.object({ message: z.string(), token: Token })

export const tokenRoutes = {
  list: route({
    method: 'GET',
    path: '/api/tokens/:kind',
    summary: 'All tokens of a kind, newest first',
    params: Kind,
    reply: z.array(Token),
  }),
  create: route({
    method: 'POST',
    path: '/api/tokens/:kind',
    summary: 'Add a token',
    params: Kind,
    body: NewToken,
    reply: Changed,
  }),
  setActive: route({
    method: 'PATCH',
    path: '/api/tokens/:kind/:id',
    summary: 'Switch a token on or off',
    params: z.object({ ...Kind.shape, id: RowId }),
    body: z.strictObject({ isActive: z.boolean() }),
    reply: Changed,
  }),
}
