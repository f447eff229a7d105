import type { TokenKind } from '#contract/token-kinds.ts'
import { defaultLogos } from '#contract/tokens.ts'
import { trimText } from '#contract/visible.ts'
import { parseAddress } from '#server/lib/evm-address.ts'
import { invalidField } from '#server/lib/errors.ts'

/** Product 6.7: the symbol in upper case. */
export const tidySymbol = (symbol: string): string => trimText(symbol).toUpperCase()

export const tidyLogo = (kind: TokenKind, logo: string | null | undefined): string => logo?.trim() || defaultLogos[kind]

/** Normalises a valid link as browsers do: lower-case scheme and host, no blanks around it. */
export const tidyLink = (link: string | null | undefined): string | null => (link ? new URL(link).href : null)

/** The address in the stored form. Throws invalid for a mixed-case address with a wrong checksum (product 6.7). */
export function tidyAddress(given: string, field = 'contractAddress'): string {
  const address = parseAddress(given)
  if (!address) throw invalidField(field, 'does not match its EIP-55 checksum')
  return address
}
