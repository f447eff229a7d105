/** JSON with sorted keys, the same for what was written and for what PostgreSQL keeps of it as jsonb. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, (_key, each: unknown) => sortKeys(each))

const sortKeys = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value
