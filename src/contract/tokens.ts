import type { TokenKind } from './token-kinds.ts'
import { addressForm, addressProblem } from './common.ts'
import { isVisible } from './visible.ts'
import type { Routes } from './route.ts'
import type { tokenSchemas } from './schemas/tokens.ts'

export const tokenKindLabels: Record<TokenKind, string> = { earning: 'Earning Tokens', fractions: 'Fractions Tokens' }

/** Product 6.7: a coin and a puzzle piece. */
export const defaultLogos: Record<TokenKind, string> = { earning: '🪙', fractions: '🧩' }

/** Characters of a token's symbol (product 14). */
export const longestSymbol = 32

export const decimalsRange = { min: 0, max: 18, preset: 18 }

/** At most two characters as a person counts them: a flag or a family is one (product 6.7). Blanks alone stand for the default. */
export const isLogo = (logo: string): boolean =>
  (logo.trim() === '' || isVisible(logo)) &&
  [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(logo.trim())].length <= 2

/** An http or https address without credentials. */
export function isProjectLink(link: string): boolean {
  if (!URL.canParse(link)) return false
  const { protocol, username, password } = new URL(link)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

/** The rules of filled-in fields, which the browser can check without schemas. */
export const tokenRules = {
  contractAddress: { holds: (address: string) => address === '' || addressForm.test(address), problem: addressProblem },
  logo: { holds: isLogo, problem: 'must have at most 2 characters, which show something' },
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

/** Product 9.5, Add token: the toast's title and text. */
export const missingTokenFields = { title: 'Validation Error', text: 'Please fill in all required fields.' }

/** What a contract says about itself. */
export interface ContractClaims {
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
 * The differences between a registered token and its contract. Ignores the name and the case of the symbol, and values
 * that either side does not have.
 */
export function findDifferences(
  { tokenSymbol, decimals }: { tokenSymbol: string; decimals: number | null },
  says: ContractClaims,
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

export const tokenRoutes: Routes<typeof tokenSchemas> = {
  list: { method: 'GET', path: '/api/tokens/:kind', access: 'tokens.view' },
  create: { method: 'POST', path: '/api/tokens/:kind', access: 'tokens.manage', approvals: ['create_token'] },
  setActive: {
    method: 'PATCH',
    path: '/api/tokens/:kind/:id',
    access: 'tokens.manage',
    versioned: true,
    approvals: ['switch_token'],
  },
}
