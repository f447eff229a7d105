import type { Scenario } from '#test/faults/scenario.ts'
import { laggingStandby } from './lagging-standby.ts'
import { migrationBesideExport } from './migration-beside-export.ts'
import { promotedBehindHaproxy, promotedStandby } from './promoted-standby.ts'
import { rollingRestart } from './rolling-restart.ts'
import { silentReader } from './silent-reader.ts'
import { storeAndDatabase } from './store-and-database.ts'

export const scenarios: readonly Scenario[] = [
  rollingRestart,
  promotedStandby,
  promotedBehindHaproxy,
  laggingStandby,
  silentReader,
  storeAndDatabase,
  migrationBesideExport,
]
