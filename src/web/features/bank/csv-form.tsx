import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bankRoutes } from '#contract/bank.ts'
import { csvDateOrders, csvDecimalSigns, csvDelimiters, csvEncodings } from '#contract/csv-profile.ts'
import type { BankAccount } from '#contract/schemas/bank.ts'
import type { ColumnValues, CsvLayout, CsvProfile, CsvProfileNeeded } from '#contract/schemas/csv-profile.ts'
import { call, describeChangeRefusal, describeError } from '#web/api.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { useCan } from '#web/use-can.ts'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { countLines } from '#web/bank/words.ts'
import { refetchBank } from '#web/bank/queries.ts'
import { CsvColumnsTable } from './csv-columns-table.tsx'
import {
  buildProfile,
  findOpenQuestions,
  listWords,
  wordMeanings,
  type CsvDraft,
  type WordColumn,
  type WordMeaning,
} from './csv-draft.ts'
import {
  dateOrderLabels,
  decimalSignLabels,
  delimiterLabels,
  describeQuestion,
  encodingLabels,
  wordMeaningLabels,
  wordQuestions,
} from './csv-words.ts'
import { MovedSums, Problems } from './import-result.tsx'
import { useCsvDraft, useCsvTrial } from './use-csv-draft.ts'

interface CsvFormProps {
  file: File
  account: BankAccount
  needed: CsvProfileNeeded
  /** The account has the columns now. */
  onSaved: () => void
  onCancel: () => void
}

/** Asks how a bank writes its CSV files, once for each account. What the file does not tell is a question. */
export function CsvForm({ file, account, needed: told, onSaved, onCancel }: CsvFormProps) {
  const client = useQueryClient()
  const mayConfirm = useCan('bank.manage')
  const { needed, draft, takeChange, takeLayout, guess } = useCsvDraft({ file, account, needed: told })
  const [isAsked, setAsked] = useState(false)
  const { headings, preview, values } = needed
  const open = findOpenQuestions(draft, values)
  const save = useSingleMutation({
    mutationFn: (csvProfile: CsvProfile) =>
      call(bankRoutes.updateAccount, { params: { id: account.id }, body: { csvProfile }, ifMatch: account.version }),
    onSuccess: async () => {
      await refetchBank(client)
      onSaved()
    },
    // Another operator may have changed the account meanwhile.
    onError: () => void refetchBank(client),
  })
  const profile = buildProfile(draft, needed)
  const confirm = () => (profile ? save.mutate(profile) : setAsked(true))
  return (
    <section aria-label={`Columns of ${file.name}`} className="mt-2">
      <p className="text-quiet">
        How the bank of <bdi className="text-ink">{account.name}</bdi> writes CSV is not known yet. Confirm it once.
      </p>
      {open.length > 0 && (
        <Note tone={isAsked && !profile ? 'danger' : 'warning'} className="mt-2">
          <ul aria-label="Open questions">
            {open.map((question) => (
              <li key={question}>{describeQuestion[question](account.currency)}</li>
            ))}
          </ul>
        </Note>
      )}
      <LayoutFields draft={draft} isAsked={isAsked} onChange={takeChange} onLayout={takeLayout} />
      <WordFields column="sign" {...{ draft, values, isAsked }} onChange={takeChange} />
      <WordFields column="state" {...{ draft, values, isAsked }} onChange={takeChange} />
      <CsvColumnsTable fileName={file.name} {...{ headings, preview, draft, isAsked }} onChange={takeChange} />
      {guess.error && (
        <Note tone="danger" role="alert" className="mt-3">
          The columns could not be guessed again: {describeError(guess.error)}. Choose them by hand.
        </Note>
      )}
      <CsvTrial {...{ file, account, needed, draft }} isGuessing={guess.isPending} />
      {save.error && (
        <Note tone="danger" role="alert" className="mt-3">
          {describeChangeRefusal(save.error)}
        </Note>
      )}
      {/* Stands over the end of what scrolls, within the dialog's padding. */}
      <div className="sticky -bottom-5 -mx-4 mt-3 -mb-3 flex flex-wrap justify-end gap-2 rounded-b-l border-t bg-raised px-4 py-3 very-low:static">
        <Button onClick={onCancel}>Leave Out</Button>
        <Button variant="primary" loading={save.isPending} disabled={!mayConfirm || guess.isPending} onClick={confirm}>
          Confirm and Import
        </Button>
      </div>
    </section>
  )
}

interface CsvTrialProps extends Pick<CsvFormProps, 'file' | 'account' | 'needed'> {
  draft: CsvDraft
  isGuessing: boolean
}

/** What would be imported: the sums tell a wrong sign before anything is stored. */
function CsvTrial({ draft, isGuessing, ...given }: CsvTrialProps) {
  const { data, error } = useCsvTrial(given, draft, isGuessing)
  if (error)
    return (
      <Note tone="danger" className="mt-3">
        {describeError(error)}
      </Note>
    )
  const [statement] = data?.statements ?? []
  if (!data || !statement) return null
  return (
    <section aria-label="What would be imported" className="mt-3 rounded-m border px-3 py-2">
      <p>
        {countLines(data.import.linesNew + data.import.linesKnown)} to import. <MovedSums statement={statement} />
      </p>
      <Problems name="Could not be read" texts={data.unreadable} total={data.import.unreadableCount} isDanger />
      <Problems name="Odd, but read" texts={data.warnings} total={data.warnings.length} />
    </section>
  )
}

interface WordFieldsProps {
  column: WordColumn
  draft: CsvDraft
  values: ColumnValues[]
  isAsked: boolean
  onChange: (changed: Partial<CsvDraft>) => void
}

/** Asks what each word of a column means. */
function WordFields({ column, draft, values, isAsked, onChange }: WordFieldsProps) {
  const words = listWords(draft, column, values)
  const said = draft.words[column]
  if (words.length === 0) return null
  return (
    <fieldset className="mt-3">
      <legend className="text-13 font-medium">{wordQuestions[column]}</legend>
      <div className="mt-1.5 grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3">
        {words.map((word) => (
          <Choice<WordMeaning>
            key={word}
            label={word || 'Empty'}
            values={wordMeanings[column]}
            labels={wordMeaningLabels}
            value={said[word] ?? ''}
            isMissing={isAsked && said[word] === undefined}
            onChange={(meaning) => onChange({ words: { ...draft.words, [column]: { ...said, [word]: meaning } } })}
          />
        ))}
      </div>
    </fieldset>
  )
}

interface LayoutFieldsProps {
  draft: CsvDraft
  /** The operator has tried to confirm, so what is missing is an error. */
  isAsked: boolean
  onChange: (changed: Partial<CsvDraft>) => void
  /** The file is read in another way, so that its columns may be others. */
  onLayout: (changed: Partial<CsvLayout>) => void
}

const headingRows = Array.from({ length: 30 }, (_, at) => ({ value: String(at), label: `Row ${at + 1}` }))

function LayoutFields({ draft, isAsked, onChange, onLayout }: LayoutFieldsProps) {
  const { byHand } = draft
  return (
    <div className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3 md:grid-cols-[1.35fr_1fr_1fr_1fr_1fr]">
      <Choice
        label="Decimal sign"
        values={csvDecimalSigns}
        labels={decimalSignLabels}
        value={draft.decimalSign}
        isMissing={isAsked && draft.decimalSign === ''}
        onChange={(decimalSign) => onChange({ decimalSign, byHand: { ...byHand, decimalSign: true } })}
      />
      <Choice
        label="Order of dates"
        values={csvDateOrders}
        labels={dateOrderLabels}
        value={draft.dateOrder}
        isMissing={isAsked && draft.dateOrder === ''}
        onChange={(dateOrder) => onChange({ dateOrder, byHand: { ...byHand, dateOrder: true } })}
      />
      <Choice
        label="Delimiter"
        values={csvDelimiters}
        labels={delimiterLabels}
        value={draft.delimiter}
        onChange={(delimiter) => onLayout({ delimiter })}
      />
      <Choice
        label="Encoding"
        values={csvEncodings}
        labels={encodingLabels}
        value={draft.encoding}
        onChange={(encoding) => onLayout({ encoding })}
      />
      <SelectField
        label="Headings"
        options={[{ value: '-1', label: 'None' }, ...headingRows]}
        value={String(draft.headerRow)}
        onChoose={(value) => onLayout({ headerRow: Number(value) })}
      />
    </div>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  values: readonly Value[]
  labels?: Record<string, string>
  /** Empty: not chosen yet. */
  value: Value | ''
  isMissing?: boolean
  onChange: (value: Value) => void
}

function Choice<Value extends string>({ label, values, labels, value, isMissing, onChange }: ChoiceProps<Value>) {
  const options = values.map((each) => ({ value: each as string, label: labels?.[each] ?? each }))
  return (
    <SelectField
      label={label}
      error={isMissing ? 'Choose one' : null}
      options={value === '' ? [{ value: '', label: 'Choose' }, ...options] : options}
      value={value}
      onChoose={(text) => {
        const chosen = values.find((each) => each === text)
        if (chosen) onChange(chosen)
      }}
    />
  )
}
