/** Text of others as a terminal may show it: control characters and line ends stand as `?`, never obeyed. */
export const inOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')

/** The same of a whole output, whose lines stay lines. */
export const printable = (text: string): string => text.split('\n').map(inOneLine).join('\n')
