import * as z from 'zod/mini'
import {
  csvColumns,
  csvDateOrders,
  csvDecimalSigns,
  csvDelimiters,
  csvEncodings,
  csvQuestions,
} from '#contract/csv-profile.ts'
import { text } from './common.ts'

const maxColumns = 200

const ColumnIndex = z.int().check(z.gte(0), z.lt(maxColumns, `must be below ${maxColumns}`))

/** Words of one column, as the file has them. The empty one stands for an empty cell. */
const Words = z.array(z.string().check(z.maxLength(60))).check(z.maxLength(20))

const layout = {
  encoding: z.enum(csvEncodings),
  delimiter: z.enum(csvDelimiters),
  /** The row of the headings; -1 where the file has none. */
  headerRow: z.int().check(z.gte(-1), z.lte(1000)),
}

/** How a CSV file is divided into cells, before anybody knows what they hold. */
export const csvLayoutSchema = z.strictObject(layout)
export type CsvLayout = z.infer<typeof csvLayoutSchema>

/** How a bank writes its CSV files. Rows and columns count from 0. */
export const csvProfileSchema = z
  .strictObject({
    ...layout,
    columns: z.partialRecord(z.enum(csvColumns), ColumnIndex),
    decimalSign: z.enum(csvDecimalSigns),
    dateOrder: z.enum(csvDateOrders),
    /** Which way the money went, by the words of the column of signs. A row with an unknown word is not read. */
    signs: z.optional(z.strictObject({ out: Words, in: Words })),
    /** Which rows are booked, by the words of the column of states. The others are no lines; one with an unknown word is not read. */
    states: z.optional(z.strictObject({ booked: Words, other: Words })),
    /** The headings of the file that was confirmed. A file with others in the columns that are read is not taken. */
    headings: z.optional(z.array(text(200)).check(z.maxLength(maxColumns))),
  })
  .check(
    z.refine(({ columns }) => columns.bookedOn !== undefined, 'must name the column of the date'),
    z.refine(
      ({ columns }) => columns.amount !== undefined || columns.credit !== undefined || columns.debit !== undefined,
      'must name a column of amounts',
    ),
    z.refine(({ columns, signs }) => columns.sign === undefined || signs, 'must say which signs are money out'),
    z.refine(({ columns, states }) => columns.state === undefined || states, 'must say which states are booked'),
  )
export type CsvProfile = z.infer<typeof csvProfileSchema>

/** A column that may be an account, a text or a fee, and what it may be. It may also be one that no line needs. */
const UnsureColumn = z.object({ column: ColumnIndex, meanings: z.array(z.enum(csvColumns)) })
export type UnsureColumn = z.infer<typeof UnsureColumn>

/** What the first rows have in a column. */
const ColumnValues = z.object({
  /** Its different values; none where they are more than 12. */
  words: z.array(z.string()),
  /** Whether a value has a sign, brackets or letters that say which way money went. */
  hasSign: z.boolean(),
})
export type ColumnValues = z.infer<typeof ColumnValues>

/** `details` of the refusal `csv_profile_needed`: what the file tells of its columns, and what a person has to say. */
export const CsvProfileNeeded = z.object({
  /** The columns may be incomplete: then a question names what is missing. */
  profile: z.object(csvProfileSchema.shape),
  questions: z.array(z.enum(csvQuestions)),
  unsure: z.array(UnsureColumn),
  headings: z.array(z.string()),
  /** By column. */
  values: z.array(ColumnValues),
  /** The first 5 rows behind the headings. */
  preview: z.array(z.array(z.string())),
})
export type CsvProfileNeeded = z.infer<typeof CsvProfileNeeded>
