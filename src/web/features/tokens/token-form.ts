import type { TokenKind } from '#contract/token-kinds.ts'
import { decimalsRange, defaultLogos, tokenRules } from '#contract/tokens.ts'
import type { Problems } from '#web/changes/use-change.ts'
import { capitalize } from '#web/lib/words.ts'

/** What the operator has typed, field by field. */
export interface TokenDraft {
  projectName: string
  tokenSymbol: string
  contractAddress: string
  logo: string
  decimals: string
  projectLink: string
  isActive: boolean
}

export const emptyDraft: TokenDraft = {
  projectName: '',
  tokenSymbol: '',
  contractAddress: '',
  logo: '',
  decimals: String(decimalsRange.preset),
  projectLink: '',
  isActive: true,
}

/** The payload of product 8.2: trimmed, the symbol in upper case, an empty logo as the kind's own. */
export function buildPayload(kind: TokenKind, typed: TokenDraft) {
  const decimals = typed.decimals.trim()
  return {
    logo: typed.logo.trim() || defaultLogos[kind],
    projectName: typed.projectName.trim(),
    projectLink: typed.projectLink.trim(),
    contractAddress: typed.contractAddress.trim(),
    tokenSymbol: typed.tokenSymbol.trim().toUpperCase(),
    decimals: /^\d+$/.test(decimals) ? Number(decimals) : Number.NaN,
    isActive: typed.isActive,
  }
}
type Payload = ReturnType<typeof buildPayload>

const required = ['projectName', 'tokenSymbol', 'contractAddress'] as const
export const isIncomplete = (payload: Payload) => required.some((field) => payload[field] === '')

/** Uses the contract's rules, so that console and server agree. */
export function findProblems(payload: Payload): Problems {
  const { contractAddress, logo, projectLink, decimals } = tokenRules
  const problems: Problems = {}
  if (!contractAddress.holds(payload.contractAddress)) problems.contractAddress = capitalize(contractAddress.problem)
  if (!logo.holds(payload.logo)) problems.logo = capitalize(logo.problem)
  if (!projectLink.holds(payload.projectLink)) problems.projectLink = capitalize(projectLink.problem)
  if (!decimals.holds(payload.decimals)) problems.decimals = capitalize(decimals.problem)
  for (const field of required) if (payload[field] === '') problems[field] = 'Required'
  return problems
}
