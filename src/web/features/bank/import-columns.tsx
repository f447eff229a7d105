import { Check, Undo2 } from 'lucide-react'
import type { BankImport } from '#contract/schemas/bank.ts'
import { formatFileSize } from '#web/lib/file-size.ts'
import { formatCount } from '#web/lib/money.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { createColumns } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { lowBlocks, ShownBelow } from '#web/table/table-widths.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { FileLink } from './file-link.tsx'

const column = createColumns<BankImport>()
const secondLine = 'block text-12 text-quiet'

const LineCounts = ({ file: { linesNew, linesKnown, unreadableCount } }: { file: BankImport }) => (
  <span className="block leading-4.5 tabular-nums">
    <span className="whitespace-nowrap">{formatCount(linesNew)} new</span>
    {linesKnown > 0 && <span className={secondLine}>{formatCount(linesKnown)} known</span>}
    {unreadableCount > 0 && (
      <span className="block text-12 text-danger-ink">{formatCount(unreadableCount)} not read</span>
    )}
  </span>
)

/** When and by whom. */
const Imported = ({ file: { importedAt, importedBy } }: { file: BankImport }) => (
  <span className="block min-w-0 truncate leading-4.5">
    <Instant value={importedAt} />{' '}
    <span className="text-12 text-quiet rows:block rows:truncate" title={importedBy}>
      by <bdi>{importedBy}</bdi>
    </span>
  </span>
)

/** The first parts that could not be read, and how many more there are. */
export const UnreadParts = ({ parts, count }: { parts: readonly string[]; count: number }) => (
  <ul className="mt-1 list-disc pl-4">
    {parts.map((part) => (
      <li key={part}>
        <bdi className="wrap-anywhere">{part}</bdi>
      </li>
    ))}
    {count > parts.length && <li>and {formatCount(count - parts.length)} more</li>}
  </ul>
)

interface UnreadProps {
  file: BankImport
  onAccept: (file: BankImport) => void
}

/** What could not be read, until somebody has accepted it, and who did. */
function Unread({ file, onAccept }: UnreadProps) {
  const { unreadableCount, unreadable, acceptedUnreadable, undone, fileName } = file
  if (unreadableCount === 0 || undone) return null
  if (acceptedUnreadable)
    return (
      <span
        className="my-1 line-clamp-3 text-12 wrap-anywhere text-quiet blocks:line-clamp-1"
        title={acceptedUnreadable.reason}
      >
        What was not read accepted by <bdi>{acceptedUnreadable.by}</bdi>: <bdi>{acceptedUnreadable.reason}</bdi>
      </span>
    )
  return (
    <div className="py-1.5 text-12 text-danger-ink">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        Not read, so money may be missing
        <PermissionGate permission="bank.import">
          <ChangeButton
            size="small"
            aria-haspopup="dialog"
            aria-label={`Accept what was not read of ${fileName}`}
            onClick={() => onAccept(file)}
            className="text-ink"
          >
            <Check aria-hidden />
            Accept
          </ChangeButton>
        </PermissionGate>
      </span>
      <UnreadParts parts={unreadable} count={unreadableCount} />
    </div>
  )
}

/** Who undid it, when and why. */
const Undone = ({ file: { undone } }: { file: BankImport }) =>
  undone && (
    <div className="min-w-0 leading-4.5 rows:py-1 blocks:flex blocks:items-center blocks:gap-2">
      <Badge tone="neutral" icon={Undo2}>
        Undone
      </Badge>
      <span className="line-clamp-3 text-12 wrap-anywhere text-quiet blocks:line-clamp-1" title={undone.reason}>
        <Instant value={undone.at} /> by <bdi>{undone.by}</bdi>: <bdi>{undone.reason}</bdi>
      </span>
    </div>
  )

const UndoButton = ({ file, onUndo }: { file: BankImport; onUndo: (file: BankImport) => void }) =>
  file.undone === null && (
    <PermissionGate permission="bank.import">
      <ChangeButton
        size="small"
        aria-haspopup="dialog"
        aria-label={`Undo the import of ${file.fileName}`}
        onClick={() => onUndo(file)}
      >
        <Undo2 aria-hidden />
        Undo
      </ChangeButton>
    </PermissionGate>
  )

/** The columns of the imported files (product 5.13). */
export const importColumns = ({
  onUndo,
  onAccept,
}: {
  onUndo: (file: BankImport) => void
  onAccept: (file: BankImport) => void
}) => [
  column.display({
    id: 'fileName',
    header: 'File',
    cell: ({ row: { original } }) => (
      <div className="min-w-0 leading-4.5 max-md:[&_button]:before:-inset-[13px]">
        <FileLink importId={original.id ?? ''} fileName={original.fileName} />
        <span className={secondLine}>
          {original.format} · {formatFileSize(original.size)}
        </span>
        <ShownBelow width={lowBlocks} className="text-12 text-quiet">
          <Imported file={original} />
        </ShownBelow>
      </div>
    ),
    meta: { min: '160px', narrow: 'subject' },
  }),
  column.accessor('importedAt', {
    header: 'Imported',
    cell: ({ row: { original } }) => <Imported file={original} />,
    meta: { width: '170px', cut: true, narrow: 'hidden' },
  }),
  column.display({
    id: 'lines',
    header: 'Lines',
    cell: ({ row: { original } }) => <LineCounts file={original} />,
    meta: { width: '90px', narrow: 'aside' },
  }),
  column.display({
    id: 'state',
    header: 'State',
    cell: ({ row: { original } }) => (
      <>
        <Undone file={original} />
        <Unread file={original} onAccept={onAccept} />
      </>
    ),
    meta: { min: '140px', narrow: 'note' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <RowActions>
        <UndoButton file={original} onUndo={onUndo} />
      </RowActions>
    ),
    meta: { width: '90px', align: 'right', narrow: 'button' },
  }),
]
