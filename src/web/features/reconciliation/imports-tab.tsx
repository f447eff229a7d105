import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { BankImport } from '#contract/schemas/bank.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useListState } from '#web/table/list-state.ts'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { importColumns } from './import-columns.tsx'
import { importsQuery } from './queries.ts'
import { UndoImportDialog } from './undo-import-dialog.tsx'

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
