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

/** The rows to show: the previous rows and total stay when a page, search or filter fails to load. */
export function useLastRows<Row, Data>({ rows, data, exactTotal }: LatestPage<Row, Data>, isError: boolean) {
  const [last, setLast] = useState<LoadedPage<Row, Data>>()
  if (rows && data && (last?.data !== data || last.exactTotal !== exactTotal)) setLast({ rows, data, exactTotal })
  const isPrevious = isError && !rows && last !== undefined
  return isPrevious ? { ...last, isPrevious } : { rows, data, exactTotal, isPrevious }
}
