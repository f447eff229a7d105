import { parseArgs } from 'node:util'
import type { Ctx } from '#server/core/context.ts'
import { dropDocumentKeys, readKeyStatus, rotateDocumentKey } from '#server/features/documents/service.ts'
import { CommandError } from '#server/lib/command-error.ts'

export const documentKeyUsage = `  keys status                  which keys encrypt the stored files, and how many files need each
  keys rotate documents        wrap the keys of all stored files with a new key; begun again, it goes on
  keys drop documents          remove the keys that no file needs any more
      --lost                   also give up keys that are not here, with the files that they encrypt`

type Run = (ctx: Ctx) => Promise<string>
const wrong = (problem: string) => new CommandError(problem, 2)

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { lost: { type: 'boolean' } } as const })
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

/** `npm run admin -- keys …`: the words after `keys`. Throws CommandError for what is no command. */
export function readDocumentKeyCommand(args: string[]): Run {
  const { values, positionals } = parse(args)
  const [verb, what, ...more] = positionals
  if (verb === undefined) throw wrong('keys needs one more word: status, rotate or drop')
  if (verb !== 'status' && verb !== 'rotate' && verb !== 'drop') throw wrong(`There is no command "keys ${verb}"`)
  if (what === undefined && verb !== 'status') throw wrong(`keys ${verb} needs one more word: documents`)
  if (what !== undefined && what !== 'documents') throw wrong(`There are no keys of "${what}"; there are: documents`)
  if (more.length > 0) throw wrong(`keys ${verb} does not know what to do with "${more[0]}"`)
  if (verb === 'drop') return drop(values.lost === true)
  if (values.lost) throw wrong(`keys ${verb} knows no --lost`)
  return verb === 'status' ? status : rotate
}

const countFiles = (count: number) => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`)

const status: Run = async (ctx) => {
  const { place, ids, missing, byKey, plain, unreadable } = await readKeyStatus(ctx)
  return [
    `Keys of documents in ${place}:`,
    ...ids.map((id, at) => `  ${id}  ${at === 0 ? 'encrypts' : 'decrypts'}  ${countFiles(byKey[id] ?? 0)}`),
    ...missing.map((id) => `  ${id}  is not here`),
    ...(plain > 0 ? [`${countFiles(plain)} not encrypted yet; the console does it in the background.`] : []),
    ...(unreadable > 0 ? [`${countFiles(unreadable)} damaged, or in need of a key that is not here.`] : []),
  ].join('\n')
}

const rotate: Run = async (ctx) => {
  const { id, isNew, byKey, rewrapped, encrypted, unreadable } = await rotateDocumentKey(ctx)
  const left = Object.entries(byKey).reduce((sum, [key, files]) => sum + (key === id ? 0 : files), 0)
  if (unreadable > 0)
    throw new CommandError(
      `${countFiles(unreadable)} can't be read and stay as they are; ${countFiles(rewrapped)} need the key ${id} now. No key is removed.`,
      1,
    )
  return [
    `${isNew ? 'The new key' : 'The key'} ${id} encrypts; ${countFiles(rewrapped + encrypted)} were taken over, ${left} are left.`,
    `Back up ${ctx.documents.keys.place}, apart from the documents. Older keys stay until: npm run admin -- keys drop documents`,
  ].join('\n')
}

const drop =
  (isLost: boolean): Run =>
  async (ctx) => {
    const dropped = await dropDocumentKeys(ctx, isLost)
    if (dropped.length === 0) return 'Every key is needed; nothing is changed.'
    const where = ctx.documents.keys.drop ? '' : ` Take older keys out of ${ctx.documents.keys.place} and restart.`
    return `Removed: ${dropped.join(', ')}.${where}`
  }
