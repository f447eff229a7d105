import * as z from 'zod'

/** The form of a backup. A program reads its own form and those before it. */
export const manifestVersion = 1

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.number().int().nonnegative()
const name = z.string().min(1)

const TableManifest = z.object({
  name,
  /** In the order of the rows' values. Columns that the database computes are left out. */
  columns: z.array(name),
  rows: count,
  /** Of the rows in PostgreSQL's text form, and their digest. */
  bytes: count,
  sha256,
})
export type TableManifest = z.infer<typeof TableManifest>

const SequenceManifest = z.object({ name, lastValue: z.string().regex(/^-?\d+$/), isCalled: z.boolean() })
export type SequenceManifest = z.infer<typeof SequenceManifest>

/** What a backup holds. */
export const Manifest = z.object({
  format: z.literal('back-office-backup'),
  version: z.literal(manifestVersion),
  /** All rows are those of this moment, by the database's clock. */
  takenAt: z.string(),
  /** Of the console that made it, and of the database server. */
  consoleVersion: z.string(),
  postgresVersion: z.string(),
  migrations: z.array(name).min(1),
  tables: z.array(TableManifest),
  sequences: z.array(SequenceManifest),
  documents: z.object({
    files: count,
    bytes: count,
    /** Of their lines in SHA256SUMS. */
    sha256,
    /** Rows name them, and the store had none. */
    missing: z.array(z.string()),
  }),
  /** The ids of the keys without which a restored console cannot go on. The keys themselves are not in the backup. */
  keys: z.object({ audit: z.array(z.string()), documents: z.array(z.string()) }),
  /** Whether the checkpoints of the audit log that the console kept beside the database are here. */
  hasCheckpoints: z.boolean(),
})
export type Manifest = z.infer<typeof Manifest>

/** Lies in a backup from its first step on, and goes when it is finished. It tells what was cut off from what somebody copies there. */
export const unfinishedMark = 'UNFINISHED'

/** Where the parts of a backup stand in its folder. */
export const sumsFile = 'SHA256SUMS'
export const manifestFile = 'manifest.json'
export const checkpointsFile = 'audit-checkpoints.jsonl'
export const tableFile = (table: string) => `tables/${table}.copy.zst`
export const documentFile = (stored: string) => `documents/${stored.slice(0, 2)}/${stored}`
export const isDocumentFile = (path: string): boolean => /^documents\/[0-9a-f]{2}\/[0-9a-f]{64}$/.test(path)
