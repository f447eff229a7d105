import { expect } from 'vitest'
import type { BulkItem, BulkJob, BulkPrepared, PrepareBulk } from '#contract/schemas/bulk.ts'
import { runJob } from './jobs.ts'
import type { Caller, TestServer } from './server.ts'

/** Calls of bulk jobs by one operator. */
export function createBulkCaller({ services }: Pick<TestServer, 'services'>, call: Caller) {
  const read = async (id: string): Promise<BulkJob> => (await call('GET', `/api/bulk/${id}`)).json().job
  const caller = {
    prepare: async (given: PrepareBulk): Promise<BulkPrepared> => {
      const reply = await call('POST', '/api/bulk', given)
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json()
    },
    /** Prepares and starts a job. */
    begin: async (given: PrepareBulk, reason?: string): Promise<BulkJob> => {
      const { job } = await caller.prepare(given)
      const reply = await call('POST', `/api/bulk/${job.id}/start`, { reason })
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json().job
    },
    /** Goes on with what runs, as the clock does. */
    run: () => runJob(services, 'run-bulk'),
    read,
    listItems: async (id: string, query = ''): Promise<BulkItem[]> =>
      (await call('GET', `/api/bulk/${id}/items?limit=1000${query}`)).json().items,
    /** Does a job from its beginning to its end. */
    finish: async (given: PrepareBulk, reason?: string): Promise<BulkJob> => {
      const { id } = await caller.begin(given, reason)
      await caller.run()
      return read(id)
    },
  }
  return caller
}
