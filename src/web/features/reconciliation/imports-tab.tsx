import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { bankRoutes } from '#contract/bank.ts'
import type { BankImport } from '#contract/schemas/bank.ts'
import { call } from '#web/api.ts'
import { countLines } from '#web/bank/count-words.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useListState } from '#web/table/list-state.ts'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { importColumns } from './import-columns.tsx'
import { importsQuery } from './queries.ts'
import { ReasonDialog } from './reason-dialog.tsx'

/** The imported files of one account, or of all, with what was undone. */
export function ImportsTab({ accountId }: { accountId: string | undefined }) {
  const state = useListState([], [])
  const imports = useQuery(importsQuery(accountId, state.page))
  const [undoing, setUndoing] = useState<BankImport | null>(null)
  const columns = useMemo(() => importColumns(setUndoing), [])
  const refresh = async () => (await imports.refetch()).isSuccess
  return (
    <>
      <DataTable
        label="Imported files"
        entity="file"
        columns={columns}
        rows={imports.data?.imports}
        rowId={({ id }) => id ?? ''}
        query={imports}
        state={state}
        origin="Files appear here once you import one of the bank."
        toolbar={<RefreshButton refresh={refresh} done="Files are up to date." />}
      />
      {undoing && <UndoImportDialog file={undoing} onClose={() => setUndoing(null)} />}
    </>
  )
}

function UndoImportDialog({ file, onClose }: { file: BankImport; onClose: () => void }) {
  const { id, fileName, linesNew, linesKnown } = file
  return (
    <ReasonDialog
      title="Undo this import?"
      description={
        <ul>
          <li>
            <bdi className="wrap-anywhere">{fileName}</bdi>: the {countLines(linesNew)} that it brought and its
            statements are deleted.
          </li>
          {linesKnown > 0 && <li>The {countLines(linesKnown)} that other files brought before stay.</li>}
          <li>The file stays in this list with your reason, and can be imported again.</li>
        </ul>
      }
      action={{ label: 'Undo Import', icon: Undo2, tone: 'danger' }}
      send={(reason) => call(bankRoutes.undoImport, { params: { id: id ?? '' }, body: { reason } })}
      done={fileName}
      failure="Failed to undo the import"
      onClose={onClose}
    />
  )
}
