/** Replaces control characters and line ends by `?`, so that a terminal does not obey texts of others. */
export const escapeLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')

/** The same for a whole output. Keeps its lines. */
export const escapeOutput = (text: string): string => text.split('\n').map(escapeLine).join('\n')
