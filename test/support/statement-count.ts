import pg from 'pg'
import { vi } from 'vitest'

/** How many statements work sends to the database, those of its transactions included. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  // A statement with parameters is bound, one without is sent as it is.
  const sent = [vi.spyOn(pg.Connection.prototype, 'query'), vi.spyOn(pg.Connection.prototype, 'bind')]
  try {
    await work()
    return sent.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  } finally {
    for (const spy of sent) spy.mockRestore()
  }
}
