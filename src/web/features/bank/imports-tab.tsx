import { Check } from 'lucide-react'
import { useMemo, useState } from 'react'
import { bankRoutes } from '#contract/bank.ts'
import { bankImportList } from '#contract/lists.ts'
import type { BankImport } from '#contract/schemas/bank.ts'
import { call } from '#web/api.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useList } from '#web/table/use-list.ts'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { importColumns, UnreadParts } from './import-columns.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { UndoImportDialog } from './undo-import-dialog.tsx'

interface ImportsTabProps {
  /** Undefined: of all accounts. */
  accountId: string | undefined
}

/** The files that the address bar asks for. */
const useImports = (accountId: string | undefined) =>
  useList(bankImportList, bankRoutes.imports, { adjust: () => ({ accountId }) })

/** The imported files of one account, or of all, with what was undone. */
export function ImportsTab({ accountId }: ImportsTabProps) {
  const list = useImports(accountId)
  const [undoing, setUndoing] = useState<BankImport | null>(null)
  const [accepting, setAccepting] = useState<BankImport | null>(null)
  const columns = useMemo(() => importColumns({ onUndo: setUndoing, onAccept: setAccepting }), [])
  return (
    <>
      <DataTable
        label="Imported files"
        entity="file"
        columns={columns}
        rows={list.query.data?.imports}
        rowId={({ id }) => id ?? ''}
        list={list}
        toolbar={
          <>
            <ExportButton name="bankImports" query={list.filter} />
            <RefreshButton refresh={list.refresh} done="Files are up to date." />
          </>
        }
        origin="Files appear here once you import one of the bank."
      />
      {undoing && <UndoImportDialog file={undoing} onClose={() => setUndoing(null)} />}
      {accepting && <AcceptUnreadableDialog file={accepting} onClose={() => setAccepting(null)} />}
    </>
  )
}

function AcceptUnreadableDialog({ file, onClose }: { file: BankImport; onClose: () => void }) {
  const { id, fileName, unreadableCount, unreadable } = file
  return (
    <ReasonDialog
      title={unreadableCount === 1 ? 'Accept the part that was not read?' : 'Accept what was not read?'}
      description={
        <>
          Money may be missing here. Look at each in the file first: it is not a payment, or came in by another file.
          <UnreadParts parts={unreadable} count={unreadableCount} />
        </>
      }
      action={{ label: 'Accept', icon: Check }}
      send={(reason) => call(bankRoutes.acceptUnreadable, { params: { id: id ?? '' }, body: { reason } })}
      done={fileName}
      failure="Failed to accept what was not read"
      onClose={onClose}
    />
  )
}
