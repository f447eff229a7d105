import { addressForm, platformIdForm } from './common.ts'
import type { Sorts } from './sorts.ts'

/** A filter that lets a few values through. */
interface ChoiceFilter<Value extends string = string> {
  /** Its values in their order, and what each is called on the screen. */
  labels: Readonly<Record<Value, string>>
  /** What it is about, in the menu of filters and before its value in a chip: "Type". Without one it is in no menu. */
  name?: string
  /** Takes several values at once, with commas between. */
  isSet?: true
  /** The screen's own control that offers them: its accessible name, and its first option, which filters nothing. */
  select?: { label: string; all: string }
  /** Its labels say all: a chip that removes it shows them alone. */
  isChip?: true
  /** Its name in the address bar, where that is not the one of the call. */
  parameter?: string
}

/** A filter by a text of this form. */
interface TextFilter {
  form: keyof typeof filterForms
  parameter?: string
}

/** Forms of what a filter may take. */
export const filterForms = {
  /** An id that the platform gave. */
  platformId: platformIdForm,
  /** An id that the console gave. */
  rowId: /^[1-9]\d{0,17}$/,
  /** A wallet or a contract. */
  address: addressForm,
  /** Hours from and to: `24-48`, or `120-`. */
  hours: /^\d{1,4}-(\d{1,4})?$/,
  /** Up to 320 characters. */
  text: /^[^\0]{1,320}$/,
}

/** Lists by what an operator's choice of columns is kept under. */
export const listNames = [
  'members',
  'orders',
  'chainTransactions',
  'platformTransactions',
  'verifications',
  'submissions',
  'kycSteps',
  'approvals',
  'bankLines',
  'bankStatements',
  'bankImports',
  'messages',
  'securityEvents',
  'adminLogs',
  'bulkJobs',
  'bulkItems',
] as const
export type ListName = (typeof listNames)[number]

/** Columns that a kept choice may name. */
export const mostColumns = 30

/** One list as data: what its call, its page and its export are narrowed and ordered by. */
export interface ListDesign {
  name: ListName
  /** By their names in the call. */
  filters: Readonly<Record<string, ChoiceFilter | TextFilter>>
  /** The search field: its accessible name, and what it shows while it is empty. */
  search?: { label: string; placeholder: string }
  /** A range of days of what the rows have: an instant, whose day depends on the time zone, or a date. */
  days?: 'instant' | 'date'
  /** A range of amounts, of one currency where the rows have one. Such a list says what its rows are together. */
  amounts?: 'currency' | 'plain'
  sorts?: Sorts
}

/** The type of a filter's value in an address. */
type ValueOf<Filter> = Filter extends { isSet: true }
  ? string
  : Filter extends ChoiceFilter<infer Value>
    ? Value
    : string

/** The values of a list's filters; undefined where one is off. */
export type FilterValues<Design extends ListDesign> = {
  [Name in keyof Design['filters']]: ValueOf<Design['filters'][Name]> | undefined
}

export const statusSelect = { label: 'Status filter', all: 'All Status' }

export const defineList = <const Design extends ListDesign>(design: Design): Design => design

/** The values of a filter that takes several, as an address has them. */
export const splitValues = (given: string | undefined): string[] => given?.split(',') ?? []

/** The filter's value in a text; undefined where it is not one. Of several values the known ones, in their order. */
export function readFilterValue(filter: ChoiceFilter | TextFilter, given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  if ('labels' in filter && filter.isSet) {
    const values = splitValues(given)
    const known = Object.keys(filter.labels).filter((value) => values.includes(value))
    return known.length > 0 ? known.join(',') : undefined
  }
  if ('labels' in filter) return Object.hasOwn(filter.labels, given) ? given : undefined
  if (!filterForms[filter.form].test(given)) return undefined
  return filter.form === 'address' ? given.toLowerCase() : given
}
