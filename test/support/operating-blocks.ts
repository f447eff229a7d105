import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const project = join(import.meta.dirname, '../..')

interface Block {
  language: string
  lines: string[]
}

/** What stands in fences, without the indentation of a numbered list. */
function readBlocks(): Block[] {
  const found: Block[] = []
  let open: Block | undefined
  for (const line of readFileSync(join(project, 'docs/operating.md'), 'utf8').split('\n')) {
    const fence = /^ *```(\w*)/.exec(line)
    if (fence && open) open = undefined
    else if (fence) found.push((open = { language: fence[1]!, lines: [] }))
    else open?.lines.push(line.replace(/^ {3}(?=\S)/, ''))
  }
  return found
}
export const blocks = readBlocks()

/** By its first words: the test that runs a block which is not walked through here, or what it needs that a test has not. */
export const elsewhere: Readonly<Record<string, string>> = {
  'sudo deploy/compose/make-secrets.sh': 'test/compose-files.test.ts',
  "sudo -u back-office sh -c 'set -a": 'needs systemd',
  'export VERIFY_PASSWORD=': 'tools/verify-security.ts',
  "export DATABASE_URL='postgres://console:…@pooler.internal": 'test/behind-pooler.test.ts',
  '[databases]': 'test/behind-pooler.test.ts',
  "export DATABASE_URL='postgres://console:…@db1.internal:5432,db2": 'test/moved-primary.test.ts',
  defaults: 'test/scale/haproxy.ts',
  'export DATABASE_READ_URL=': 'test/moved-primary.test.ts',
  "export DOCUMENTS='s3://": 'test/document-store.test.ts',
  'npm run admin -- documents move': 'test/document-store.test.ts',
  'export OIDC_ISSUER=': 'test/e2e/single-sign-on.e2e.ts',
  '#!/bin/sh': 'test/statement-script.test.ts',
  'MAILTO=': 'needs cron',
  'journalctl -u': 'needs systemd',
  'scrape_configs:': 'needs Prometheus',
  'npm install --prefix deploy/tracing': 'needs a collector of traces',
  '$ curl -s http://10.0.0.12:3000/ready': 'src/server/features/backups/schedule.test.ts',
  "export BACKUP_TO='s3://": 'src/server/features/backups/bucket.test.ts',
  'export WAL_ARCHIVE=': 'src/server/features/backups/point-in-time.test.ts',
  'export DATA_DIR=/var/lib/back-office-restored': 'src/server/features/backups/point-in-time.test.ts',
  '[global]': 'test/backup-pgbackrest.test.ts',
  'archive_mode = on': 'test/backup-pgbackrest.test.ts',
  'pgbackrest --stanza=console': 'test/backup-pgbackrest.test.ts',
  'npm run admin -- db restored': 'test/backup-pgbackrest.test.ts',
  'npm run admin -- audit verify-copy "s3://': 'src/server/features/audit-chain/copy.test.ts',
  'Waiting: the migration': 'src/server/db/migrate-beside-work.test.ts',
  'curl -s "$NODE"': 'needs a node of the chain',
}
export const walked = new Set<Block>()

/** The first block that begins so and was not walked through yet. Throws without one. */
export function takeBlock(beginning: string): string[] {
  const found = blocks.find((block) => block.lines[0]!.startsWith(beginning) && !walked.has(block))
  if (!found) throw new Error(`docs/operating.md has no block that begins with: ${beginning}`)
  walked.add(found)
  // A start does not end by itself: it is made apart.
  return found.lines.filter((line) => !/(^| )npm start$/.test(line))
}
