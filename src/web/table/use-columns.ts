import { useQuery } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import { useMemo } from 'react'
import type { ListName } from '#contract/list.ts'
import type { ColumnChoice } from '#contract/schemas/account.ts'
import { accountQuery } from '#web/use-can.ts'
import { type Column, findColumnId, listDataColumns } from './columns.ts'

export const noChoice: ColumnChoice = { order: [], hidden: [], isCompact: false }

/** How the operator has the columns of a list. The account is there before any list is. */
export const useColumnChoice = (list: ListName): ColumnChoice =>
  useQuery({ ...accountQuery, enabled: false }).data?.columns[list] ?? noChoice

/** In the operator's order. Columns that were never moved follow. */
export function orderColumns(ids: readonly string[], { order }: ColumnChoice): string[] {
  const findPlace = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  return ids.toSorted((a, b) => findPlace(a) - findPlace(b))
}

/** The columns to show (product 4.10): controls and the first of a design, which is the rows' subject, always. */
export function useShownColumns<Row extends RowData>(columns: Column<Row>[], choice: ColumnChoice): Column<Row>[] {
  return useMemo(() => {
    const data = new Map(listDataColumns(columns).map((column) => [findColumnId(column), column]))
    const [subject, ...others] = data.keys()
    const hidden = others.filter((id) => choice.hidden.includes(id))
    const shown = orderColumns([subject!, ...others], choice).filter((id) => !hidden.includes(id))
    const [before, after] = ['select', 'actions'].map((control) => columns.filter(({ id }) => id === control))
    return [...before!, ...shown.map((id) => data.get(id)!), ...after!]
  }, [columns, choice])
}
