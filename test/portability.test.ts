import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// Poolers and other engines of PostgreSQL's language fail at what a session keeps between transactions, and at some of its own
// ways. Each stands in named files alone, so that what moving away would take can be read here (decision 083).

const root = join(import.meta.dirname, '..')

interface Feature {
  name: string
  pattern: RegExp
  /** Files of src/server, or folders of drizzle, each with its reason. */
  places: Record<string, string>
}

const inServer: Feature[] = [
  {
    name: 'locks of a session',
    pattern: /\b(?:tryAdvisoryLock|takeAdvisoryLock)\(|pg_(?:try_)?advisory_lock\(/,
    places: {
      'db/advisory-lock.ts': 'the statements themselves',
      'db/embedded/roles.ts': 'one start at a time makes the roles',
      'db/migrate.ts': 'one server at a time migrates',
      'db/restore-mark.ts': 'one restore at a time; its lock ends with it',
      'features/audit-chain/verify-by-clock.ts': 'one server at a time verifies; its lock ends with it',
      'features/backups/create.ts': 'one back-up at a time; its lock ends with it',
    },
  },
  {
    name: 'LISTEN',
    pattern: /['"`]LISTEN\b/,
    places: { 'features/live/listener.ts': 'changes for open consoles; without it they look every minute' },
  },
  {
    name: 'NOTIFY',
    pattern: /pg_notify\(/,
    places: {
      'core/audit.ts': 'lists that changed',
      'features/live/end-streams.ts': 'sessions that ended',
      'platform/announce-soon.ts': 'lists that an import changes',
    },
  },
  {
    name: 'temporary tables',
    pattern: /\bTEMP(?:ORARY)? TABLE\b/,
    places: { 'platform/table-copies.ts': 'the dry run of an import writes to copies' },
  },
  {
    name: 'settings that outlive their transaction',
    pattern: /['"`]\s*SET (?!LOCAL\b)(?:SESSION )?[a-z_]+ (?:=|TO)/,
    places: {
      'db/own-server.ts': 'keep-alives of connections that are not of the pool',
      'db/migrate.ts': 'how long the migrating connection waits for a lock',
      'features/backups/load.ts': 'the connections of a restore have no limits',
      'features/backups/snapshot.ts': 'the form in which rows are copied; the snapshot needs sessions too',
    },
  },
]

const inMigrations: Feature[] = [
  {
    name: 'transition tables',
    pattern: /\bREFERENCING\b/,
    places: {
      '20261128084610_counted_lists': 'one function makes the triggers that count rows by statement',
      '20261129081835_count_beside_writers': 'its halves, for tables that have rows',
    },
  },
  {
    name: 'dynamic SQL',
    pattern: /\bEXECUTE (?!FUNCTION\b)/,
    places: {
      '20261128084610_counted_lists': 'the same function',
      '20261129081835_count_beside_writers': 'its halves',
    },
  },
]

const read = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
const sources = read('src/server/**/*.ts').map(({ file, text }) => ({ place: file.slice('src/server/'.length), text }))
const migrations = read('drizzle/*/migration.sql').map(({ file, text }) => ({ place: file.split('/')[1]!, text }))

const findPlaces = (all: typeof sources, { pattern }: Feature) =>
  all.filter(({ text }) => pattern.test(text)).map(({ place }) => place)

test.each(inServer)('$name: in the named files alone', (feature) => {
  expect(sources.length).toBeGreaterThan(300)
  expect(findPlaces(sources, feature).toSorted()).toEqual(Object.keys(feature.places).toSorted())
})

test.each(inMigrations)('$name: in the named migrations alone', (feature) => {
  expect(migrations.length).toBe(readdirSync(join(root, 'drizzle')).length)
  expect(findPlaces(migrations, feature).toSorted()).toEqual(Object.keys(feature.places).toSorted())
})
