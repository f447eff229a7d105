import { csvColumns, type CsvColumn } from '#contract/csv-profile.ts'
import { cn } from '#web/lib/cn.ts'
import { Select } from '#web/ui/select.tsx'
import { assignColumn, type ColumnChoice } from './csv-draft.ts'
import { csvColumnLabels } from './csv-words.ts'

/** What a select says of a column that the operator has to decide about. */
const undecidedValue = '?'

const amountColumns: ReadonlySet<string> = new Set<CsvColumn>(['amount', 'credit', 'debit', 'fee'])

const buildCellLook = (meaning: string) =>
  cn('px-2 py-1.5', meaning === '' && 'text-quiet', amountColumns.has(meaning) && 'text-right tabular-nums')

const meanings = [
  { value: '', label: 'Not read' },
  ...csvColumns.map((value) => ({ value: value as string, label: csvColumnLabels[value] })),
]

interface CsvColumnsTableProps {
  fileName: string
  headings: string[]
  preview: string[][]
  draft: ColumnChoice
  /** The operator has tried to confirm, so what is undecided is an error. */
  isAsked: boolean
  onChange: (changed: ColumnChoice) => void
}

/** The file's first rows. A select over each column says what is in it. */
export function CsvColumnsTable({ fileName, headings, preview, draft, isAsked, onChange }: CsvColumnsTableProps) {
  const { columns, undecided } = draft
  const width = Math.max(headings.length, ...preview.map(({ length }) => length))
  const places = Array.from({ length: width }, (_, at) => at)
  const isUndecided = (at: number) => undecided.includes(at)
  const findMeaning = (at: number) =>
    isUndecided(at) ? undecidedValue : (csvColumns.find((name) => columns[name] === at) ?? '')
  return (
    <section
      aria-label={`First rows of ${fileName}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
      tabIndex={0}
      className="mt-3 overflow-x-auto rounded-m border fade-ends"
    >
      <table className="border-separate border-spacing-0 text-12">
        <thead>
          <tr>
            {places.map((at) => (
              <th key={at} scope="col" className="min-w-36 border-b bg-canvas p-2 text-left align-bottom font-medium">
                <bdi title={headings[at]} className="mb-1.5 block max-w-44 truncate">
                  {headings[at] || `Column ${at + 1}`}
                </bdi>
                <Select
                  small
                  aria-label={`Meaning of column ${at + 1}`}
                  aria-invalid={(isAsked && isUndecided(at)) || undefined}
                  options={isUndecided(at) ? [{ value: undecidedValue, label: 'Choose' }, ...meanings] : meanings}
                  value={findMeaning(at)}
                  onChange={({ target }) => {
                    const meaning = csvColumns.find((name) => name === target.value) ?? ('' as CsvColumn | '')
                    onChange(assignColumn(draft, at, meaning))
                  }}
                  className="w-full"
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.map((row, rowAt) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows of a file have only their place
            <tr key={rowAt}>
              {places.map((at) => (
                <td key={at} className={buildCellLook(findMeaning(at))}>
                  <bdi title={row[at]} className="block max-w-44 truncate">
                    {row[at]}
                  </bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
