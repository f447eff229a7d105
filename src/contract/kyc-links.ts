/** What two members may have in common (product 5.10), in the order in which it is shown. */
export const linkFacts = ['phone', 'name_birth', 'account', 'wallet', 'picture'] as const
export type LinkFact = (typeof linkFacts)[number]

/** How many members are shown of each fact, and up to how many are counted. */
export const mostLinked = 5
export const mostCounted = 100
