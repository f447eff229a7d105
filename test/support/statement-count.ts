import pg from 'pg'
import { vi } from 'vitest'

/** How many statements work sends to the database, those of its transactions included. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return query.mock.calls.length
  } finally {
    query.mockRestore()
  }
}
