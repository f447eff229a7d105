import { existsSync, statfsSync } from 'node:fs'
import { totalmem } from 'node:os'

const MiB = 1024 * 1024

/** What PostgreSQL is told at start. Nothing here may be relaxed that makes an acknowledged write durable. */
export function serverSettings(): Record<string, string> {
  return {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    max_connections: '100',
    shared_buffers: '256MB',
    effective_cache_size: `${Math.round(totalmem() / 2 / MiB)}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '256MB',
    // more WAL between checkpoints would make recovery after a crash longer: 1 GB takes 6 to 10 s
    max_wal_size: '1GB',
    checkpoint_timeout: '5min',
    random_page_cost: '1.1',
    jit: 'off',
    dynamic_shared_memory_type: hasSmallSharedMemory() ? 'mmap' : 'posix',
    ...logSettings,
    timezone: 'UTC',
  }
}

// One file a weekday, overwritten a week later. Statements and details stay out: they hold members' data.
const logSettings = {
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgres-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_file_mode: '0600',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

/** Containers often have 64 MB of /dev/shm, too little for parallel queries. */
function hasSmallSharedMemory(): boolean {
  if (process.platform !== 'linux' || !existsSync('/dev/shm')) return process.platform === 'linux'
  const { blocks, bsize } = statfsSync('/dev/shm')
  return blocks * bsize < 512 * MiB
}

/** The whole environment of the database's processes: PG* variables and locales of a shell must not reach them. */
export function childEnvironment(): Record<string, string> {
  const kept = process.platform === 'win32' ? ['PATH', 'SystemRoot', 'TEMP'] : ['PATH']
  return { ...Object.fromEntries(kept.map((name) => [name, process.env[name] ?? ''])), LC_ALL: 'C', TZ: 'UTC' }
}
