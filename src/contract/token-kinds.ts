/** A file of its own, because the pages' addresses need it before the rest of the tokens' data is loaded. */
export const tokenKinds = ['earning', 'fractions'] as const
export type TokenKind = (typeof tokenKinds)[number]
