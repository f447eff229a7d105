import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { bankRoutes } from '#contract/bank.ts'
import type { BankImport, BankLine, UndoImportCheck } from '#contract/schemas/bank.ts'
import { call } from '#web/api.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { countLines, nameParty } from '#web/bank/words.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { Note } from '#web/ui/note.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

/** Asked once. What is typed stays, whatever happens to the lines meanwhile: the undoing itself is judged again. */
const useCheck = (id: string) =>
  useQuery({
    queryKey: ['check of undoing an import', id],
    queryFn: ({ signal }) => call(bankRoutes.checkUndoImport, { params: { id }, signal }),
    staleTime: Infinity,
    gcTime: 0,
  })

/** Undoes an import with a reason. One that cannot be undone is told at once, with the lines that keep it. */
export function UndoImportDialog({ file, onClose }: { file: BankImport; onClose: () => void }) {
  const { fileName } = file
  const id = file.id ?? ''
  const { data, isPending } = useCheck(id)
  const isRefused = data !== undefined && data.refusal !== null
  return (
    <ReasonDialog
      title={isRefused ? 'This import can’t be undone' : 'Undo this import?'}
      description={isRefused ? <bdi className="wrap-anywhere">{fileName}</bdi> : <Consequences file={file} />}
      action={{ label: 'Undo Import', icon: Undo2, tone: 'danger' }}
      send={(reason) => call(bankRoutes.undoImport, { params: { id }, body: { reason } })}
      done={fileName}
      failure="Failed to undo the import"
      isChecking={isPending}
      {...(isRefused && { obstacle: <Obstacle check={data} /> })}
      onClose={onClose}
    />
  )
}

const Consequences = ({ file: { fileName, linesNew, linesKnown } }: { file: BankImport }) => (
  <ul>
    <li>
      <bdi className="wrap-anywhere">{fileName}</bdi>: the {countLines(linesNew)} that it brought and its statements are
      deleted.
    </li>
    {linesKnown > 0 && <li>The {countLines(linesKnown)} that other files brought before stay.</li>}
    <li>The file stays in this list with your reason, and can be imported again.</li>
  </ul>
)

/** Why it can't be undone, and the lines, each a link to what was decided of it. */
const Obstacle = ({ check: { refusal, lines, lineCount } }: { check: UndoImportCheck }) => (
  <>
    <Note tone="warning" role="alert">
      {refusal}
    </Note>
    {lines.length > 0 && (
      <ul aria-label="Lines that keep it" className="mt-3 divide-y rounded-l border text-13">
        {lines.map((line) => (
          <KeptLine key={line.id} line={line} />
        ))}
      </ul>
    )}
    {lineCount > lines.length && (
      <p className="mt-2 text-12 text-quiet">and {countLines(lineCount - lines.length)} more</p>
    )}
  </>
)

const KeptLine = ({ line: { id, bookedOn, payer, direction, amount, currency } }: { line: BankLine }) => (
  <li>
    <Link
      {...paths.bank({ line: id })}
      className="flex min-h-9 items-center gap-3 px-3 py-1.5 hover:bg-hover max-md:min-h-11"
    >
      {bookedOn && <span className="shrink-0 text-quiet tabular-nums">{formatDay(bookedOn)}</span>}
      <span className="min-w-0 flex-1 truncate underline">
        <bdi>{nameParty({ payer, direction })}</bdi>
      </span>
      <span className="whole-number shrink-0 tabular-nums">
        {direction === 'credit' ? '+' : '−'}
        {formatAmount(amount)} <span className="text-quiet">{currency}</span>
      </span>
    </Link>
  </li>
)
