import { createReadStream, ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { inspect, parseArgs } from 'node:util'
import { pino } from 'pino'
import { PlatformId } from '#contract/schemas/common.ts'
import type { ImportResult } from '#contract/schemas/platform.ts'
import { readConfig, SettingError } from '#server/core/config.ts'
import { contextFor } from '#server/core/context.ts'
import { StartError } from '#server/db/embedded/errors.ts'
import { AppError } from '#server/lib/errors.ts'
import { gunzipStream } from '#server/platform/import-gzip.ts'
import { type ImportProgress, importStream } from '#server/platform/import.ts'
import { openServerBase } from '#server/process/start.ts'
import { createReporter, escapeLine, escapeOutput } from './output.ts'

const help = `Usage: npm run import -- [options] <file.ndjson or file.ndjson.gz>
       npm run import -- [options] -        reads standard input

  --dry-run       says what would be created, updated and refused, and stores nothing
  --batch <id>    keeps its progress under this id: after it was stopped, the same file with the same id goes on
                  behind the last line that is settled, and the report counts the whole
  --gzip          the input is packed with gzip; a name that ends in .gz says so by itself

Brings members, wallets, KYC histories, orders, tokens, transactions, fractions and chain transactions into the
console's database, one JSON object a line, as POST /api/platform/v1/import does. It works whether the server runs or
not, and the same file can be imported again: what is there already is left alone.

Refused lines are listed with their numbers and never stop the others.
Exit code: 0 when the whole file was read, also with refused lines; 1 when the import could not run or stopped.
`

class UsageError extends Error {}

/** Opens the file, or standard input. Paths are relative to where the command was entered. */
async function openInput(path: string): Promise<{ source: Readable; totalBytes: number | undefined }> {
  if (path === '-') return { source: process.stdin, totalBytes: undefined }
  const file = resolve(process.env.INIT_CWD ?? process.cwd(), path)
  const found = await stat(file).catch(() => null)
  if (!found) throw new UsageError(`there is no file ${file}`)
  if (found.isDirectory()) throw new UsageError(`${file} is a folder`)
  return {
    source: createReadStream(file, { highWaterMark: 256 * 1024 }),
    totalBytes: found.isFile() ? found.size : undefined,
  }
}

interface ImportArguments {
  path: string
  isDryRun: boolean
  isGzip: boolean
  batch: string | undefined
}

/** Parses the command line. Throws a UsageError. */
function readArgs(args: string[]): ImportArguments {
  const { values, positionals } = parseOptions(args)
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0) throw new UsageError('name one file, or - for standard input')
  const { 'dry-run': isDryRun = false, gzip = false, batch } = values
  return { path, isDryRun, isGzip: gzip || path.endsWith('.gz'), batch }
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean' }, gzip: { type: 'boolean' }, batch: { type: 'string' } },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

async function run({ path, isDryRun, isGzip, batch }: ImportArguments): Promise<ImportResult> {
  if (batch !== undefined && !PlatformId.safeParse(batch).success)
    throw new UsageError('--batch must be 1 to 64 of letters, digits and - _ . :, and not . or ..')
  const { source, totalBytes } = await openInput(path)
  const config = readConfig(process.env)
  const foundation = await openServerBase(config, pino({ level: 'silent' }), (line) =>
    console.error(escapeOutput(line)),
  )
  const reporter = createReporter(process.stderr)
  const describe = describeProgress(process.stderr.isTTY, totalBytes)
  // Ctrl-C ends the source. The running batch is finished, and the report says what is stored.
  const stop = () => source.destroy()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    const ctx = contextFor(foundation.services, { kind: 'command', name: 'npm run import' })
    return await importStream(ctx, isGzip ? gunzipStream(source) : source, {
      batch,
      isDryRun,
      // The progress of a packed file is measured in its own bytes.
      onProgress: (now) =>
        reporter.update(() =>
          describe(isGzip && source instanceof ReadStream ? { ...now, bytes: source.bytesRead } : now),
        ),
    })
  } finally {
    reporter.end()
    process.off('SIGINT', stop).off('SIGTERM', stop)
    await foundation.close()
  }
}

const barWidth = 24
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

/** How far the import is, with a bar on a terminal. `totalBytes` is undefined for a pipe. */
function describeProgress(isTerminal: boolean, totalBytes: number | undefined) {
  const begun = performance.now()
  return ({ bytes, lines, refused }: ImportProgress): string => {
    const share = totalBytes ? Math.min(1, bytes / totalBytes) : undefined
    const perSecond = Math.round(lines / Math.max(0.001, (performance.now() - begun) / 1000))
    return [
      share !== undefined && isTerminal && `[${'#'.repeat(Math.floor(share * barWidth)).padEnd(barWidth, '.')}]`,
      share !== undefined && `${Math.floor(share * 100)} %`,
      totalBytes ? `${megabytes(bytes)} of ${megabytes(totalBytes)}` : megabytes(bytes),
      `${formatCount(lines)} lines`,
      `${formatCount(perSecond)} lines/s`,
      refused > 0 && `${formatCount(refused)} refused`,
    ]
      .filter(Boolean)
      .join('  ')
  }
}

const formatCount = (n: number) => n.toLocaleString('en')

function formatReport(
  { accepted, created, updated, unchanged, refused, errors }: ImportResult,
  isDryRun: boolean,
): string {
  const lines = errors.map(({ line, message }) => `  line ${line}: ${escapeLine(message)}`)
  if (refused > errors.length) lines.push(`  and ${formatCount(refused - errors.length)} more`)
  return [
    ...(isDryRun ? ['A dry run: nothing was stored.'] : []),
    `${formatCount(accepted)} lines accepted: ${formatCount(created)} created, ${formatCount(updated)} updated, ${formatCount(unchanged)} unchanged`,
    refused === 0 ? 'none refused' : `${formatCount(refused)} refused:`,
    ...lines,
  ].join('\n')
}

const args = process.argv.slice(2)
if (args.length === 0) {
  console.error(help)
  process.exitCode = 1
} else if (args.includes('--help') || args.includes('-h')) console.log(help)
else {
  try {
    const parsedArgs = readArgs(args)
    console.log(formatReport(await run(parsedArgs), parsedArgs.isDryRun))
  } catch (error) {
    const isPlain =
      error instanceof UsageError ||
      error instanceof SettingError ||
      error instanceof StartError ||
      (error instanceof AppError && error.code !== 'internal')
    console.error(`Cannot import: ${escapeOutput(isPlain ? error.message : inspect(error))}`)
    process.exitCode = 1
  }
  // Standard input may still be open if the import stopped early.
  process.stdin.destroy()
}
