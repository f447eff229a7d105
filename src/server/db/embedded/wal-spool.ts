import { join } from 'node:path'
import { makePrivateFolder } from './folders.ts'
import type { DatabaseLocation } from './location.ts'

/** Where the server puts each finished segment of its log, until the console has taken it away. */
export interface WalSpool {
  folder: string
  /** The data folder, of which bases are copied. */
  cluster: string
}

/** A segment that nothing fills is finished after so long: what may be missing of an archive. */
const segmentSeconds = 60

/** Makes the folder, and says what the server has to be told. `basic_archive` is part of PostgreSQL and needs no shell. */
export function prepareSpool({ home, cluster, account }: DatabaseLocation): {
  spool: WalSpool
  settings: Record<string, string>
} {
  const folder = join(home, 'wal-spool')
  makePrivateFolder(folder, account)
  return {
    spool: { folder, cluster },
    settings: {
      archive_mode: 'on',
      archive_library: 'basic_archive',
      'basic_archive.archive_directory': folder,
      archive_timeout: `${segmentSeconds}s`,
    },
  }
}
