/**
 * SQL: whether a key, of at most `length` characters, begins with `given`, as a range of its index: up to the key that goes on with the
 * highest digit. In every collation a text stands before those that it begins.
 */
export const keyBegins = (column: string, given: string, length: number, highest: '9' | 'f'): string =>
  `(${column} BETWEEN ${given} AND rpad(${given}, ${length}, '${highest}') AND starts_with(${column}, ${given}))`
