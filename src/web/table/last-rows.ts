import { useState } from 'react'

interface LoadedPage<Row, Data> {
  rows: Row[]
  data: Data
  exactTotal: number | undefined
}

interface LatestPage<Row, Data> {
  rows: Row[] | undefined
  data: Data | undefined
  exactTotal: number | undefined
}

/** What a list shows: when a page, a search or a filter can't be loaded, the rows from before stay, with their total. */
export function useLastRows<Row, Data>({ rows, data, exactTotal }: LatestPage<Row, Data>, isError: boolean) {
  const [last, setLast] = useState<LoadedPage<Row, Data>>()
  if (rows && data && (last?.data !== data || last.exactTotal !== exactTotal)) setLast({ rows, data, exactTotal })
  const isPrevious = isError && !rows && last !== undefined
  return isPrevious ? { ...last, isPrevious } : { rows, data, exactTotal, isPrevious }
}
