/** A file of its own, since the console's addresses name them and the rest of the tokens' data loads later. */
export const tokenKinds = ['earning', 'fractions'] as const
export type TokenKind = (typeof tokenKinds)[number]
