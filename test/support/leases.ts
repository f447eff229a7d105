import type { TestServer } from './server.ts'

/** Lets all leases end, as if their holders had been silent for long enough. */
export const endLeases = (server: Pick<TestServer, 'sql'>) =>
  server.sql(`UPDATE leases SET held_until = now() - interval '1 second'`)
