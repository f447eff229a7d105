/** Text of others as a terminal may show it: control characters and line ends stand as `?`, never obeyed. */
export const escapeLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')

/** The same of a whole output, whose lines stay lines. */
export const escapeOutput = (text: string): string => text.split('\n').map(escapeLine).join('\n')
