/**
 * SQL: whether a key begins with `given`, as a range of its index. All keys of a form have the same length, so that the range
 * from the lowest to the highest is the same in every collation.
 */
export const keyBegins = (column: string, given: string, length: number, lowest: string, highest: string): string =>
  `(${column} BETWEEN rpad(${given}, ${length}, '${lowest}') AND rpad(${given}, ${length}, '${highest}')
    AND starts_with(${column}, ${given}))`
