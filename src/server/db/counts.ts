import { getTableName } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ListFilter } from './list.ts'

/** By what rows are counted: a column's values, or named conditions on the row `t`, one of which each row fulfils. */
type Part = AnyPgColumn | Record<string, string>
type PartValue<P extends Part> = P extends AnyPgColumn ? P['_']['data'] & string : keyof P & string
type Values<By extends Record<string, Part>> = {
  [Name in keyof By]?: PartValue<By[Name]> | readonly PartValue<By[Name]>[] | undefined
}

interface CountDesign<By extends Record<string, Part>> {
  /** The list's name in `list_totals`, `list_days` and `list_deltas`. */
  name: string
  table: PgTable
  /** The instant that the list is ordered by; its UTC day is counted. Null where no page is read by these counts. */
  at: AnyPgColumn | null
  by: By
  /** The rows of the table that are counted; all of them. */
  only?: string
  /** Summed beside the number of rows. */
  amount?: AnyPgColumn
}

/** What a table is counted by, for the statement that makes its counts and for those that read them. */
export interface Counts<By extends Record<string, Part> = Record<string, Part>> {
  readonly name: string
  /** As `ListDesign` wants them. */
  readonly list: { name: string; table: string; at: string }
  /** The statement of the migration that makes triggers and counts. It may run again after a change of the design. */
  readonly statement: string
  /** Each value that a filter can ask for, where they are known. */
  readonly filters: readonly Values<By>[]
  /** The rows that have these values, and the leaves of their counts. What is undefined lets all through. */
  filter(wanted: Values<By>): ListFilter
  /** The leaves that have these values, as a condition on `leaf`. */
  leaves(wanted: Values<By>): string
  /** One part of `leaf`. */
  part(name: keyof By): string
  /** All counts, folded or not, as a subquery of `leaf`, `rows` and `amount`: several rows of a leaf, one snapshot. */
  readonly all: string
}

const literal = (value: string) => `'${value.replaceAll("'", "''")}'`
const isColumn = (part: Part): part is AnyPgColumn => 'getSQLType' in part && typeof part.getSQLType === 'function'
const matchesAny = (expression: string, values: readonly string[]) =>
  values.length === 1
    ? `${expression} = ${literal(values[0]!)}`
    : `${expression} IN (${values.map(literal).join(', ')})`

/** The part's value of the row `t`. */
function partValue(part: Part): string {
  if (isColumn(part)) {
    const text = part.getSQLType() === 'text' ? `t.${part.name}` : `t.${part.name}::text`
    return part.notNull ? text : `coalesce(${text}, '')`
  }
  const cases = Object.entries(part).map(([value, condition]) => `WHEN ${condition} THEN ${literal(value)}`)
  return `CASE ${cases.join(' ')} END`
}

/** Whether the row `t` has one of these values, said as its index knows it. */
function partCondition(part: Part, values: readonly string[]): string {
  if (isColumn(part)) return matchesAny(`t.${part.name}`, values)
  return values.map((value) => part[value]!).join(' OR ')
}

const knownValues = (part: Part): readonly string[] => (isColumn(part) ? (part.enumValues ?? []) : Object.keys(part))

const declared = new Map<string, Counts>()
/** The counts that the loaded code declares. */
export const declaredCounts = (): Counts[] => [...declared.values()]

/** Declares what a table is counted by (docs/decisions/005). A leaf is the row's values in the order of `by`. */
export function declareCounts<const By extends Record<string, Part>>(design: CountDesign<By>): Counts<By> {
  const { name, by, at, only, amount } = design
  const table = getTableName(design.table)
  const names = Object.keys(by)
  const part = (one: string) => (names.length === 1 ? 'leaf' : `split_part(leaf, '/', ${names.indexOf(one) + 1})`)
  const read = (wanted: Values<By>): [string, readonly string[]][] =>
    Object.entries(wanted).flatMap(([one, values]) =>
      values === undefined ? [] : [[one, [values].flat() as string[]]],
    )
  const leaves = (wanted: Values<By>) => {
    const asked = new Map(read(wanted))
    const whole = names.map((one) => asked.get(one) ?? [])
    if (whole.every((values) => values.length === 1)) return `leaf = ${literal(whole.join('/'))}`
    return [...asked].map(([one, values]) => matchesAny(part(one), values)).join(' AND ') || 'true'
  }
  const leaf = names.map((one) => partValue(by[one]!)).join(` || '/' || `)
  const day = at ? `(t.${at.name} AT TIME ZONE 'UTC')::date` : `date 'epoch'`
  const given = { leaf, day, ...(only && { condition: only }), ...(amount && { amount: `t.${amount.name}` }) }
  const expressions = Object.entries(given).map(([argument, expression]) => `,\n  ${argument} => $$${expression}$$`)
  const counts: Counts<By> = {
    name,
    list: { name, table, at: at?.name ?? '' },
    statement: `SELECT count_table('${name}', '${table}'${expressions.join('')});`,
    filters: names.flatMap((one) => knownValues(by[one]!).map((value) => ({ [one]: value }) as Values<By>)),
    filter: (wanted) => {
      const conditions = read(wanted).map(([one, values]) => partCondition(by[one]!, values))
      const rows = [...(only ? [only] : []), ...conditions].map((each) => `(${each})`).join(' AND ')
      const isOpen = read(wanted).some(([one]) => knownValues(by[one]!).length === 0)
      return { rows: rows || 'true', leaves: leaves(wanted), ...(isOpen && { hasOpenValue: true }) }
    },
    leaves,
    part: (one) => part(String(one)),
    all: `(
      SELECT leaf, rows, amount FROM list_totals WHERE list = ${literal(name)}
      UNION ALL SELECT leaf, rows, amount FROM list_deltas WHERE list = ${literal(name)}
    )`,
  }
  declared.set(name, counts)
  return counts
}
