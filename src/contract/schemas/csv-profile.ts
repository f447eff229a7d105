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

/** How a bank writes its CSV files. Rows and columns count from 0. */
export const csvProfileSchema = z
  .strictObject({
    encoding: z.enum(csvEncodings),
    delimiter: z.enum(csvDelimiters),
    /** The row of the headings; -1 where the file has none. */
    headerRow: z.int().check(z.gte(-1), z.lte(1000)),
    columns: z.partialRecord(z.enum(csvColumns), ColumnIndex),
    decimalSign: z.enum(csvDecimalSigns),
    dateOrder: z.enum(csvDateOrders),
    /** The headings of the file that was confirmed. A file with others in the columns that are read is not taken. */
    headings: z.optional(z.array(text(200)).check(z.maxLength(maxColumns))),
  })
  .check(
    z.refine(({ columns }) => columns.bookedOn !== undefined, 'must name the column of the date'),
    z.refine(
      ({ columns }) => columns.amount !== undefined || columns.credit !== undefined || columns.debit !== undefined,
      'must name a column of amounts',
    ),
  )
export type CsvProfile = z.infer<typeof csvProfileSchema>

/** A column that may be an account or a text, and what it may be. It may also be one that no line needs. */
const UnsureColumn = z.object({ column: ColumnIndex, meanings: z.array(z.enum(csvColumns)) })
export type UnsureColumn = z.infer<typeof UnsureColumn>

/** `details` of the refusal `csv_profile_needed`: what the file tells of its columns, and what a person has to say. */
export const CsvProfileNeeded = z.object({
  /** The columns may be incomplete: then a question names what is missing. */
  profile: z.object(csvProfileSchema.shape),
  questions: z.array(z.enum(csvQuestions)),
  unsure: z.array(UnsureColumn),
  headings: z.array(z.string()),
  /** The first 5 rows behind the headings. */
  preview: z.array(z.array(z.string())),
})
export type CsvProfileNeeded = z.infer<typeof CsvProfileNeeded>

const Cells = z.array(z.string().check(z.maxLength(200))).check(z.maxLength(maxColumns))

/** A table as the operator's layout reads it: its headings, which may be none, and its first rows. */
export const CsvTable = z.strictObject({ headings: Cells, rows: z.array(Cells).check(z.maxLength(100)) })
export type CsvTable = z.infer<typeof CsvTable>

/** What such a table tells of its columns. Null: it does not tell. */
export const CsvColumnsGuess = z.object({
  columns: csvProfileSchema.shape.columns,
  decimalSign: z.nullable(csvProfileSchema.shape.decimalSign),
  dateOrder: z.nullable(csvProfileSchema.shape.dateOrder),
  unsure: z.array(UnsureColumn),
})
export type CsvColumnsGuess = z.infer<typeof CsvColumnsGuess>
