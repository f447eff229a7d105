import type { Scenario } from '#test/faults/scenario.ts'
import { brokenClients, brokenDatabaseConnections } from './broken-connections.ts'
import { databaseAway } from './database-away.ts'
import { fullDisk } from './full-disk.ts'
import { fuzzedCalls } from './fuzzed-calls.ts'
import { jumpingClock } from './jumping-clock.ts'
import { killedDatabase, killedOwnDatabase } from './killed-database.ts'
import { killedServer } from './killed-server.ts'
import { restoredBackup } from './restored-backup.ts'
import { simultaneousOperators } from './simultaneous-operators.ts'
import { stoppedServer } from './stopped-server.ts'

export const scenarios: readonly Scenario[] = [
  killedServer,
  killedDatabase,
  killedOwnDatabase,
  databaseAway,
  fullDisk,
  brokenClients,
  brokenDatabaseConnections,
  jumpingClock,
  stoppedServer,
  restoredBackup,
  simultaneousOperators,
  fuzzedCalls,
]
