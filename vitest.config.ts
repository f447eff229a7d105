import { defineConfig } from 'vitest/config'

/** What is started, stopped, killed or cut off, each change at each of its statements, and how well bank lines are matched. */
const processes = [
  'bench/bank/quality.test.ts',
  'demo/chain/*.test.ts',
  'demo/platform/fill.test.ts',
  'demo/sandbox/sandbox.test.ts',
  'src/server/cli/{database-commands,import}.test.ts',
  'src/server/db/embedded/start.test.ts',
  'src/server/db/{migrate-beside-work,wait-for-database}.test.ts',
  'src/server/features/alarms/killed.test.ts',
  'src/server/features/audit-chain/seal-killed.test.ts',
  'src/server/features/bank/statements/import-servers.test.ts',
  'src/server/features/bank/allocations/storm.test.ts',
  'src/server/features/kyc-results/crash.test.ts',
  'src/server/jobs/stopped-jobs.test.ts',
  'test/all-or-nothing/*.test.ts',
  'test/{document-store,example-platform,fault-*,faults,fuzz,image,lifecycle,moved-primary,rolling-restart}.test.ts',
  'test/{stolen-laptop,stopping,without-demo}.test.ts',
]
/** Back-ups and restores, which take a PostgreSQL or several of their own. */
const backups = ['src/server/features/backups/*.test.ts', 'test/backup*.test.ts', 'test/restore.test.ts']
/** A console behind PgBouncer, which must be installed. */
const pooler = ['src/server/db/pooler.test.ts', 'test/behind-pooler.test.ts']
/** The commands of the handbook for operators, on a PostgreSQL of this machine. */
const operating = ['test/operating-walk.test.ts']
/** Documents and back-ups on OpenStack Swift, which must be installed. */
const stores = ['test/real-s3.test.ts']
/** The API's description in the hands of other tools, which are installed for it. */
const clients = ['test/api-clients.test.ts']
/** The checks of `verify:security` and `verify:faults`, and that these find what is planted. */
const checkers = ['test/{security,faults}/{live-checks,planted-faults}.test.ts']
/** The project's own code, documents and dependencies: part of `npm run check`. */
const repository = [
  'demo/chain/solidity/compile.test.ts',
  'test/{command-docs,compose-files,portability,product-docs,rules,supply-chain,table-writers}.test.ts',
  'test/security/{requirements,summary}.test.ts',
]
const elsewhere = [...processes, ...backups, ...pooler, ...operating, ...stores, ...clients, ...checkers, ...repository]

const everything = ['{bench,demo,test,tools}/**/*.test.ts', 'src/**/*.test.{ts,tsx}']

const project = (
  name: string,
  files: { include: string[]; exclude?: string[] },
  globalSetup = ['./test/global-setup.ts'],
) => ({
  test: {
    name,
    ...files,
    globalSetup,
    setupFiles: [...(name === 'rules' ? ['./test/clock-setup.ts'] : []), './test/setup.ts'],
    // The console's modules keep no state of their own, so a worker loads them once for all its files: a fifth less time.
    isolate: false,
    // A limit against hanging only: no test says anything by its speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})

// Each test belongs to one project (CONTRIBUTING.md): a run of `rules` is `npm test`, the others are commands of their own.
export default defineConfig({
  test: {
    // A test often waits for its database: three keep two processors busy.
    maxWorkers: 3,
    projects: [
      project('rules', { include: everything, exclude: ['**/node_modules/**', ...elsewhere] }),
      project('processes', { include: processes }),
      project('backups', { include: backups }),
      project('pooler', { include: pooler }, ['./test/global-setup.ts', './test/pgbouncer-setup.ts']),
      project('operating', { include: operating }, []),
      project('stores', { include: stores }),
      project('clients', { include: clients }),
      project('checkers', { include: checkers }),
      project('repository', { include: repository }, []),
    ],
  },
})
