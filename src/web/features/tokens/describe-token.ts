import type { Token } from '#contract/schemas/tokens.ts'

/** "Solar Park (SOLR)" */
export const describeToken = ({ projectName, tokenSymbol }: Pick<Token, 'projectName' | 'tokenSymbol'>) =>
  `${projectName} (${tokenSymbol})`
