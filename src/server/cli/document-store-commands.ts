import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createBucketStore, createFolderStore, type FileStore } from '#server/adapters/file-store.ts'
import type { Ctx } from '#server/core/context.ts'
import { adoptStore, checkStoredFiles, copyStore, switchStore } from '#server/features/documents/service.ts'
import { readBucketUrl } from '#server/lib/bucket-url.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { createReporter } from './report-progress.ts'

export const documentStoreUsage = `  documents check              read every stored file that the database names, and list what is missing or damaged
  documents move --to <place>  copy all files to s3://bucket/folder?endpoint=…, or to "folder" in DATA_DIR, while the
                               console runs; begun again, it goes on
      --switch                 with no console running: copy the rest, and let the database name the new place
  documents adopt              take the store of the settings as it is for the one of this database`

type Run = (ctx: Ctx) => Promise<string>
const wrong = (problem: string) => new CommandError(problem, 2)
const mostListed = 50

function parse(args: string[]) {
  try {
    const options = { to: { type: 'string' }, switch: { type: 'boolean' } } as const
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

/** `npm run admin -- documents …`: the words after `documents`. Throws CommandError for what is no command. */
export function readDocumentStoreCommand(args: string[]): Run {
  const { values, positionals } = parse(args)
  const [verb, ...more] = positionals
  if (verb === undefined) throw wrong('documents needs one more word: check, move or adopt')
  if (more.length > 0) throw wrong(`documents ${verb} does not know what to do with "${more[0]}"`)
  if (verb === 'move') {
    if (values.to === undefined) throw wrong('documents move needs --to and a place')
    return move(values.to, values.switch === true)
  }
  if (values.to !== undefined || values.switch)
    throw wrong(`documents ${verb} knows no ${values.to ? '--to' : '--switch'}`)
  if (verb === 'check') return check
  if (verb === 'adopt') return adopt
  throw wrong(`There is no command "documents ${verb}"`)
}

const countFiles = (count: number) => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`)

const check: Run = async (ctx) => {
  const reporter = createReporter(process.stderr)
  const { present, missing, damaged } = await checkStoredFiles(ctx, (files) => reporter.update(countFiles(files)))
  reporter.end()
  const { place } = ctx.documents.files
  if (missing.length + damaged.length === 0) return `${place} has all of ${countFiles(present)}.`
  const lines = [
    ...missing.map(({ kind, sha256 }) => `missing  ${kind}  ${sha256}`),
    ...damaged.map(({ kind, sha256 }) => `damaged  ${kind}  ${sha256}`),
  ]
  const rest = lines.length - mostListed
  throw new CommandError(
    [
      `${place} has ${countFiles(present)}; ${countFiles(missing.length)} missing, ${countFiles(damaged.length)} damaged:`,
      ...lines.slice(0, mostListed),
      ...(rest > 0 ? [`and ${rest.toLocaleString('en')} more`] : []),
      'A picture comes back when the platform uploads it again, a statement when the file is imported again, and both from a back-up.',
    ].join('\n'),
    1,
  )
}

function openTarget({ config, documents }: Ctx, given: string): FileStore {
  let target: FileStore
  if (given === 'folder') target = createFolderStore(join(config.dataDir, 'documents'))
  else {
    const credentials = config.documentCredentials
    if (!credentials)
      throw wrong('documents move needs DOCUMENTS_ACCESS_KEY_ID and DOCUMENTS_SECRET_ACCESS_KEY of the bucket')
    try {
      target = createBucketStore({ ...readBucketUrl(given), ...credentials })
    } catch (error) {
      throw wrong(`--to ${(error as Error).message}`)
    }
  }
  if (target.place === documents.files.place) throw wrong(`The documents are in ${target.place} already`)
  return target
}

const move =
  (given: string, isSwitching: boolean): Run =>
  async (ctx) => {
    const target = openTarget(ctx, given)
    const reporter = createReporter(process.stderr)
    const { copied, present } = await copyStore(ctx, target, (done) =>
      reporter.update(countFiles(done.copied + done.present)),
    )
    reporter.end()
    const moved = `${countFiles(copied)} copied to ${target.place}, ${countFiles(present)} there already; every byte was compared.`
    if (!isSwitching)
      return `${moved}\nThen stop all consoles, run it again with --switch, set DOCUMENTS, and start them.`
    await switchStore(ctx, target)
    return `${moved}\nThe documents are in ${target.place} now. Set DOCUMENTS to it before the next start; ${ctx.documents.files.place} stays as it is.`
  }

const adopt: Run = async (ctx) => {
  const mark = await adoptStore(ctx)
  return `${ctx.documents.files.place} (${mark}) is the store of this database now. What it lacks: npm run admin -- documents check`
}
