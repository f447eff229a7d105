import type { Scenario } from '#test/faults/scenario.ts'
import { migrationBesideExport } from './migration-beside-export.ts'
import { silentReader } from './silent-reader.ts'

export const scenarios: readonly Scenario[] = [silentReader, migrationBesideExport]
