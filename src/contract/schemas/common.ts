import * as z from 'zod/mini'
import { addressForm, addressProblem, pageSize, platformIdForm } from '#contract/common.ts'
import { filterForms, type ListDesign } from '#contract/list.ts'
import type { Sorts } from '#contract/sorts.ts'
import { isVisible } from '#contract/visible.ts'
import { listKeys } from '#contract/states.ts'

const isCleanText = (value: string) => !value.includes('\0') && value.isWellFormed()

/** Text of `min` to `max` characters without NUL and broken surrogates, which PostgreSQL refuses. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .check(
      z.minLength(min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`),
      z.maxLength(max, `must have at most ${max} characters`),
      z.refine(isCleanText, 'must not hold NUL or broken characters'),
    )

const notBlank = z.refine<string>((value) => value === '' || isVisible(value), 'must not be blank')

/** Text that is not blank. */
export const filled = (max: number) => text(max, 1).check(notBlank)

/** Null and empty text clear the stored value, absent keeps it, and blanks are refused. */
export const clearable = (max: number) => z.optional(z.nullable(text(max).check(notBlank)))

export const PlatformId = z
  .string()
  .check(z.regex(platformIdForm, 'must be 1 to 64 of letters, digits and - _ . :, and not . or ..'))

/** Ids given by our database. */
export const RowId = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'must be a whole number'))

const instantForm = 'must be an ISO 8601 instant such as 2026-01-05T09:00:00Z'

/** An ISO 8601 instant with an offset, of the years 1000 to 9999. Parsed to UTC with milliseconds. */
export const Instant = z.pipe(
  z.pipe(
    z.iso.datetime({ offset: true, error: instantForm }),
    z.transform((value: string) => new Date(value).toISOString()),
  ),
  z.string().check(z.regex(/^[1-9]\d{3}-/, 'must be an instant of the years 1000 to 9999')),
)

/** Clocks may differ by minutes. */
const aheadMs = 5 * 60_000
const isPast = (value: string) => Date.parse(value) <= Date.now() + aheadMs
const pastProblem = 'must not be in the future'

/** An instant that is not in the future. */
export const Past = Instant.check(z.refine(isPast, pastProblem))

/** An instant as the server sends it: UTC with milliseconds. */
export const Timestamp = z.string()

/** An exact decimal as the server sends it, such as `1500.00`. */
export const Decimal = z.string()

/** A calendar day, `2026-01-05`. */
export const Day = z.iso
  .date('must be a date such as 1991-03-14')
  .check(z.refine((day) => !day.startsWith('0000'), 'must be a date such as 1991-03-14'))

export const PastDay = Day.check(z.refine(isPast, pastProblem))

/** Token and transaction amounts: 0 or more, at most 60 digits before and 18 after the point (product 6.1). */
export const Amount = z
  .string()
  .check(
    z.regex(/^\d{1,60}(\.\d{1,18})?$/, 'must be a decimal string, at most 60 digits before and 18 after the point'),
  )

/** A wallet or contract address in the stored form: 20 bytes, lower case. The service checks the checksum. */
export const Address = z.string().check(z.regex(addressForm, addressProblem))

/** A filter of a list: absent, empty and `all` mean no filter (product 4.3). */
export const filter = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.pipe(
    z.transform((value: unknown) => (value === '' || value === 'all' ? undefined : value)),
    z.optional(z.enum(values, { error: `must be one of ${values.join(', ')}` })),
  )

/** A filter of a list that takes several values, with commas between them: absent, empty and `all` mean no filter. */
export const filterSet = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.pipe(
    z.transform((value: unknown) => {
      if (value === undefined || value === '' || value === 'all') return undefined
      // Undefined is for what is absent; what is given twice is refused.
      return typeof value === 'string' ? value.split(',') : null
    }),
    z.optional(
      z
        .array(z.enum(values, { error: `must be one or more of ${values.join(', ')}, with commas between` }))
        .check(z.maxLength(values.length)),
    ),
  )

/** The order of a list by its name; absent or empty is the list's own (product 4.2). */
export const sortBy = <Name extends string>(sorts: Sorts<Name>) => {
  const names = listKeys(sorts)
  return z.pipe(
    z.transform((value: unknown) => (value === '' ? undefined : value)),
    z.optional(z.enum(names, { error: `must be one of ${names.join(', ')}` })),
  )
}

/** A filter by the platform's own id, such as a member's; as with other filters, empty and `all` mean none. */
export const PlatformIdFilter = z.pipe(
  z.transform((value: unknown) => (value === '' || value === 'all' ? undefined : value)),
  z.optional(PlatformId),
)

/** A filter by an id that the console gave out; as with other filters, empty and `all` mean none. */
export const RowIdFilter = z.pipe(
  z.transform((value: unknown) => (value === '' || value === 'all' ? undefined : value)),
  z.optional(RowId),
)

/** A filter by a wallet or contract address; as with other filters, empty and `all` mean none. */
export const AddressFilter = z.pipe(
  z.transform((value: unknown) => (value === '' || value === 'all' ? undefined : value)),
  z.optional(Address),
)

/** A filter by a calendar day; as with other filters, empty and `all` mean none. */
export const DayFilter = z.pipe(
  z.transform((value: unknown) => (value === '' || value === 'all' ? undefined : value)),
  z.optional(Day),
)

/** A whole number of a query, in digits alone. */
export const wholeNumber = (min: number, max: number, fallback: number) =>
  z.pipe(
    z.transform((value: unknown) => {
      if (value === undefined || value === '') return fallback
      return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined
    }),
    z
      .number({ error: `must be a whole number from ${min} to ${max}` })
      .check(
        z.int(`must be a whole number from ${min} to ${max}`),
        z.minimum(min, `must be a whole number from ${min} to ${max}`),
        z.maximum(max, `must be a whole number from ${min} to ${max}`),
      ),
  )

/** `page` from 1, `limit` 1 to 1000, default 50 (product 4.2). `total=exact` waits for more to be counted (product 4.5). */
export const pageQuery = {
  page: z.prefault(wholeNumber(1, 1_000_000, 1), undefined),
  limit: z.prefault(wholeNumber(1, 1000, pageSize), undefined),
  total: z.optional(z.enum(['exact'], { error: 'must be exact' })),
}

export const SearchText = z.optional(text(200))

const isTimeZone = (value: string) => {
  try {
    return value.length <= 64 && Boolean(new Intl.DateTimeFormat('en', { timeZone: value }))
  } catch {
    return false
  }
}
/** An IANA time zone; figures of "today" are counted in it. */
const zone = z.string().check(z.refine(isTimeZone, 'must be an IANA time zone'))
export const TimeZone = z.prefault(zone, 'UTC')

/** Days that a list's rows are of, both included; of UTC without a `timeZone`. */
export const dayRangeQuery = { from: DayFilter, to: DayFilter, timeZone: z.optional(zone) }

/** The envelope of a list: its items under a name of their own (product 8.3). `totalExact`: `total` is of all that match. */
export const pageOf = <Name extends string, Item extends z.ZodMiniType>(name: Name, item: Item) =>
  z.object({
    ...({ [name]: z.array(item) } as Record<Name, z.ZodMiniArray<Item>>),
    total: z.int(),
    totalExact: z.optional(z.boolean()),
    page: z.int(),
    limit: z.int(),
  })

const filterSchemas = {
  platformId: PlatformIdFilter,
  rowId: RowIdFilter,
  address: AddressFilter,
  hours: z.pipe(
    z.transform((value: unknown) => (value === '' || value === 'all' ? undefined : value)),
    z.optional(z.string().check(z.regex(filterForms.hours, 'must be hours such as 24-48, or 120- for 120 and more'))),
  ),
  text: z.optional(text(320)),
} satisfies Record<keyof typeof filterForms, z.ZodMiniType>

const AmountFilter = z.pipe(
  z.transform((value: unknown) => (value === '' || value === 'all' ? undefined : value)),
  z.optional(Amount),
)
/** Rows of these amounts, both included. */
const amountRangeQuery = { min: AmountFilter, max: AmountFilter }
const CurrencyFilter = z.pipe(
  z.transform((value: unknown) => (value === '' || value === 'all' ? undefined : value)),
  z.optional(z.string().check(z.regex(/^[A-Z]{3}$/, 'must be a currency such as EUR'))),
)

type Optional<Value> = z.ZodMiniOptional<z.ZodMiniType<Value>>
/** The type of a filter's value in a call. */
type QueryValueOf<Filter> = Filter extends { labels: Readonly<Record<infer Value extends string, string>> }
  ? Filter extends { isSet: true }
    ? Value[]
    : Value
  : string
type ListQueryOf<Design extends ListDesign> = typeof pageQuery & {
  [Name in keyof Design['filters']]: Optional<QueryValueOf<Design['filters'][Name]>>
} & (Design extends { search: object } ? { search: typeof SearchText } : unknown) &
  (Design extends { days: 'instant' } ? typeof dayRangeQuery : unknown) &
  (Design extends { days: 'date' } ? Pick<typeof dayRangeQuery, 'from' | 'to'> : unknown) &
  (Design extends { amounts: string } ? typeof amountRangeQuery : unknown) &
  (Design extends { amounts: 'currency' } ? { currency: typeof CurrencyFilter } : unknown) &
  (Design extends { sorts: Sorts<infer Name> } ? { sort: Optional<Name> } : unknown)

/** The query of a list's call, as its design says. */
export function listQuery<const Design extends ListDesign>(design: Design): ListQueryOf<Design> {
  const filters = Object.entries(design.filters).map(([name, given]) => [
    name,
    'labels' in given
      ? (given.isSet ? filterSet : filter)(Object.keys(given.labels) as [string, ...string[]])
      : filterSchemas[given.form],
  ])
  const { timeZone, ...dates } = dayRangeQuery
  return {
    ...pageQuery,
    ...(design.search && { search: SearchText }),
    ...Object.fromEntries(filters),
    ...(design.days && dates),
    ...(design.days === 'instant' && { timeZone }),
    ...(design.amounts && amountRangeQuery),
    ...(design.amounts === 'currency' && { currency: CurrencyFilter }),
    ...(design.sorts && { sort: sortBy(design.sorts) }),
  }
}
