import { useState } from 'react'

interface Loaded<Row, Data> {
  rows: Row[]
  data: Data
  exactTotal: number | undefined
}

interface Latest<Row, Data> {
  rows: Row[] | undefined
  data: Data | undefined
  exactTotal: number | undefined
}

/** What a list shows: when a page, a search or a filter can't be loaded, the rows from before stay, with their total. */
export function useLastRows<Row, Data>({ rows, data, exactTotal }: Latest<Row, Data>, isError: boolean) {
  const [last, setLast] = useState<Loaded<Row, Data>>()
  if (rows && data && (last?.data !== data || last.exactTotal !== exactTotal)) setLast({ rows, data, exactTotal })
  const isFromBefore = isError && !rows && last !== undefined
  return isFromBefore ? { ...last, isFromBefore } : { rows, data, exactTotal, isFromBefore }
}
