import { parseArgs } from 'node:util'
import type { Ctx } from '#server/core/context.ts'
import {
  createKey,
  defaultCallsPerSecond,
  listKeys,
  revokeKey,
  settingCallsPerSecond,
  settingKeyName,
} from '#server/features/keys/service.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { formatTable } from './table.ts'

const usageError = (problem: string) => new CommandError(problem, 2)
const dayMs = 24 * 3600 * 1000
/** Ten years. A key for longer should not expire. */
const maxDays = 3650

/** `90d` counts from now. On `2027-01-31` the key ends at the beginning of that day in UTC. */
function readExpiry(text: string): string {
  const days = Number(/^(\d{1,4})d$/.exec(text)?.[1])
  if (days >= 1 && days <= maxDays) return new Date(Date.now() + days * dayMs).toISOString()
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  // An invalid day parses as a day of the next month, or not at all.
  if (day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return day.toISOString()
  throw usageError(`--expires is days such as 90d (1 to ${maxDays}) or a day such as 2027-01-31, not "${text}"`)
}

function readRate(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw usageError(`--rate is a number of calls a second, not "${text}"`)
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { expires: { type: 'string' }, rate: { type: 'string' } },
    })
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error))
  }
}

/** Parses the words after `npm run admin -- key`. Throws CommandError for unknown commands. */
export function readKeyCommand(args: string[]): (ctx: Ctx) => Promise<string> {
  const { values, positionals } = parseOptions(args)
  const [verb, ...names] = positionals
  if (verb === undefined) throw usageError('key needs one more word: create, list or revoke')
  const command = `key ${verb}`
  if (verb !== 'create' && verb !== 'list' && verb !== 'revoke') throw usageError(`There is no command "${command}"`)
  if (verb !== 'create')
    for (const option of ['expires', 'rate'] as const)
      if (values[option] !== undefined) throw usageError(`${command} knows no --${option}`)
  const wanted = verb === 'list' ? 0 : 1
  if (names.length > wanted) throw usageError(`${command} does not know what to do with "${names[wanted]}"`)
  if (verb === 'list') return showKeys
  const [name] = names
  if (name === undefined) throw usageError(`${command} needs one more word`)
  if (verb === 'revoke') return revokeKeyCommand(name)
  return createKeyCommand(
    name,
    values.expires === undefined ? undefined : readExpiry(values.expires),
    values.rate === undefined ? defaultCallsPerSecond : readRate(values.rate),
  )
}

const createKeyCommand =
  (name: string, expiresAt: string | undefined, callsPerSecond: number) =>
  async (ctx: Ctx): Promise<string> => {
    const { key } = await createKey(ctx, { name, expiresAt, callsPerSecond })
    const until = expiresAt ? `until ${expiresAt}` : 'until it is revoked'
    return [
      `Platform key ${name} is valid from now, ${until}, for ${callsPerSecond} calls a second.`,
      `Key: ${key}`,
      'It is shown this once.',
    ].join('\n')
  }

const revokeKeyCommand =
  (name: string) =>
  async (ctx: Ctx): Promise<string> => {
    await revokeKey(ctx, name)
    return `Platform key ${name} is revoked; the next call with it is refused.`
  }

async function showKeys(ctx: Ctx): Promise<string> {
  const keys = await listKeys(ctx)
  const isSet = ctx.config.platformApiKey !== undefined
  if (keys.length === 0 && !isSet) return 'There is no platform key; make one: npm run admin -- key create <name>'
  const setting = [settingKeyName, '', 'valid', 'never', String(settingCallsPerSecond), '', '', '', 'setting']
  const made = keys.map((key) => [
    key.name,
    key.hint,
    key.state,
    key.expiresAt ?? 'never',
    String(key.callsPerSecond),
    key.lastUsedAt ?? 'never',
    key.lastUsedFrom ?? '',
    key.createdAt,
    key.createdBy,
  ])
  return formatTable(
    ['name', 'ends in', 'state', 'expires', 'calls/s', 'last used', 'from', 'made', 'by'],
    [...(isSet ? [setting] : []), ...made],
  )
}
