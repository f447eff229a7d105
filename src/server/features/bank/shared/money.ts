/** SQL: an amount as text of 2 to 5 places. */
export const formatMoney = (expression: string): string =>
  `round(${expression}, greatest(2, min_scale(${expression})))::text`
