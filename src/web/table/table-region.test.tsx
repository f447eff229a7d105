// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#web/api.ts'
import { createColumns } from './columns.ts'
import type { ListState } from './use-list.ts'
import { TableRegion, type RowsQuery } from './table-region.tsx'

// A browser has both.
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  Element.prototype.scrollTo = () => {}
})
afterEach(cleanup)

interface Member {
  id: string
}
const column = createColumns<Member>()
const columns = [
  column.accessor('id', { header: 'Member' }),
  column.display({
    id: 'actions',
    cell: ({ row }) => (
      <button type="button" aria-label={`Ban ${row.id}`}>
        Ban
      </button>
    ),
  }),
]
const state: ListState = {
  search: '',
  key: '',
  page: 1,
  setSearch: () => {},
  setPage: () => {},
  isFiltered: false,
  clearFilters: () => {},
}
const away = new ApiError(503, '{"message":"The database is away","code":"database_unavailable"}')

/** A list in a state of its query, which the test changes. */
function renderList(first: Partial<RowsQuery>, rows?: Member[], isPrevious = false) {
  const refetch = vi.fn()
  const region = createRef<HTMLElement>()
  const build = (query: Partial<RowsQuery>, shown: Member[] | undefined) => (
    <TableRegion
      label="Users"
      columns={columns}
      rows={shown}
      rowId={({ id }) => id}
      query={{
        isPending: false,
        isError: false,
        isFetching: false,
        isPlaceholderData: false,
        error: null,
        refetch,
        ...query,
      }}
      state={state}
      sort={undefined}
      region={region}
      isPrevious={isPrevious}
    />
  )
  const client = new QueryClient()
  const { rerender } = render(build(first, rows), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  return { refetch, show: (query: Partial<RowsQuery>, shown?: Member[]) => rerender(build(query, shown)) }
}

const again = () => screen.getByRole('button', { name: 'Try Again' })
const list = () => screen.getByRole('region', { name: 'Users' })

test('a list that could not be loaded says why, and its rows get the focus', async () => {
  const { refetch, show } = renderList({ isError: true, error: away })
  expect(screen.getByRole('alert').textContent).toBe('Users could not be loaded: The database is awayTry Again')
  await userEvent.click(again())
  show({ isError: true, error: away, isFetching: true })
  await userEvent.click(again())
  expect(refetch).toHaveBeenCalledTimes(1)
  show({}, [{ id: 'Ana' }])
  expect(screen.queryByRole('alert')).toBeNull()
  await Promise.resolve()
  expect(document.activeElement).toBe(list())
})

for (const [isPrevious, words] of [
  [false, 'Users could not be refreshed: The database is away'],
  [true, 'Users could not be loaded: The database is away Shown are the rows from before.'],
] as const)
  test(`the rows stay when what follows them fails: ${words}`, async () => {
    const rows = [{ id: 'Ana' }]
    const { refetch } = renderList({ isError: true, error: away }, rows, isPrevious)
    expect(screen.getByRole('alert').textContent).toBe(`${words}Try Again`)
    expect(screen.getByRole('cell', { name: 'Ana' })).toBeTruthy()
    await userEvent.click(again())
    expect(refetch).toHaveBeenCalledTimes(1)
    expect(document.activeElement).toBe(list())
  })

const toMembers = (...ids: string[]) => ids.map((id) => ({ id }))

test.each([
  ['Ben', ['Ana', 'Cem'], 'Ban Cem', 'the same button of the next row'],
  ['Cem', ['Ana', 'Ben'], 'Ban Ben', 'that of the row before, where it was the last'],
  ['Ben', [], 'Users', 'the list, where it was the only one'],
])('when the row of %s leaves, and %j stay, %s has the focus: %s', (left, stay, focused) => {
  const { show } = renderList({}, toMembers('Ana', 'Ben', 'Cem'))
  act(() => screen.getByRole('button', { name: `Ban ${left}` }).focus())
  show({}, toMembers(...stay))
  expect(document.activeElement?.getAttribute('aria-label')).toBe(focused)
})
