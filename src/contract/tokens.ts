import * as z from 'zod/mini'
import { Address, RowId, text, Timestamp } from './common.ts'
import { route } from './route.ts'

export const tokenKinds = ['earning', 'fractions'] as const
export type TokenKind = (typeof tokenKinds)[number]

export const tokenKindLabels: Record<TokenKind, string> = { earning: 'Earning Tokens', fractions: 'Fractions Tokens' }

/** SPEC section 5: a coin and a puzzle piece. */
export const defaultLogos: Record<TokenKind, string> = { earning: '🪙', fractions: '🧩' }

/** SPEC section 9. */
export const decimalsRange = { min: 0, max: 18, preset: 18 }

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** At most two characters as a person counts them: a flag or a family is one (PRODUCT 3.16). */
export const isLogo = (logo: string): boolean => [...segmenter.segment(logo)].length <= 2

/** An http or https address without credentials. */
export function isProjectLink(link: string): boolean {
  if (!URL.canParse(link)) return false
  const { protocol, username, password } = new URL(link)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

/** SPEC section 5, Add token: the toast's title and text. */
export const missingTokenFields = { title: 'Validation Error', text: 'Please fill in all required fields.' }

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
})
export type Token = z.infer<typeof Token>

/** The symbol is upper-cased and an empty logo becomes the kind's own, on the server. */
export const NewToken = z.strictObject({
  logo: z.optional(z.nullable(text(64).check(z.refine(isLogo, 'must have at most 2 characters')))),
  projectName: text(100),
  projectLink: z.optional(
    z.nullable(
      text(2048).check(z.refine((link) => link === '' || isProjectLink(link), 'must be an http or https address')),
    ),
  ),
  contractAddress: z.union([z.literal(''), Address], { error: 'must be 0x and 40 hexadecimal digits' }),
  tokenSymbol: text(32),
  decimals: z.prefault(
    z
      .int('must be a whole number from 0 to 18')
      .check(z.minimum(0, 'must be 0 to 18'), z.maximum(18, 'must be 0 to 18')),
    decimalsRange.preset,
  ),
  isActive: z.prefault(z.boolean(), true),
})
export type NewToken = z.infer<typeof NewToken>

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
