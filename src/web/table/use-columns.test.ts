// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createColumns, findColumnId } from './columns.ts'
import { noChoice, useShownColumns } from './use-columns.ts'

const column = createColumns<{ id: string; name: string; status: string }>()
const columns = [
  column.display({ id: 'select' }),
  column.accessor('name', {}),
  column.accessor('status', {}),
  column.accessor('id', {}),
  column.display({ id: 'actions' }),
]
const listShown = (choice: Partial<typeof noChoice>) =>
  renderHook(() => useShownColumns(columns, { ...noChoice, ...choice })).result.current.map(findColumnId)

test('columns stand as designed where nothing was chosen (product 4.10)', () => {
  expect(listShown({})).toEqual(['select', 'name', 'status', 'id', 'actions'])
})

test('columns stand in the chosen order, and those that were never moved follow (product 4.10)', () => {
  expect(listShown({ order: ['id', 'gone'] })).toEqual(['select', 'id', 'name', 'status', 'actions'])
})

test('the subject and the controls stay, and unknown columns mean nothing (product 4.10)', () => {
  expect(listShown({ hidden: ['name', 'status', 'actions', 'gone'], order: ['actions'] })).toEqual([
    'select',
    'name',
    'id',
    'actions',
  ])
})
