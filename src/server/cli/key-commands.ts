import { isScope, namedScopes, scopes, standardScopes, type Scope } from '#contract/scopes.ts'
import type { Ctx } from '#server/core/context.ts'
import {
  createKey,
  defaultCallsPerSecond,
  listKeys,
  type NewKey,
  revokeKey,
  settingCallsPerSecond,
  settingKeyName,
} from '#server/features/keys/service.ts'
import { defineCommand, usageError } from './command.ts'
import { formatTable } from './output.ts'

/** All scopes but `history`, as a word of `--scope`. */
const standardWord = 'standard'
/** Ten years. A key for longer should not expire. */
const maxDays = 3650

/** `90d` counts from now. On `2027-01-31` the key ends at the beginning of that day in UTC. */
function readExpiry(text: string): Pick<NewKey, 'expiresAt' | 'expiresInDays'> {
  const days = Number(/^(\d{1,4})d$/.exec(text)?.[1])
  if (days >= 1 && days <= maxDays) return { expiresInDays: days }
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  // An invalid day parses as a day of the next month, or not at all.
  if (day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return { expiresAt: day.toISOString() }
  throw usageError(`--expires is days such as 90d (1 to ${maxDays}) or a day such as 2027-01-31, not "${text}"`)
}

function readRate(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw usageError(`--rate is a number of calls a second, not "${text}"`)
}

/** Each `--scope` names scopes, separated by commas. `standard` are all but those that have to be named. */
function readScopes(texts: string[] | undefined): Scope[] | undefined {
  const words = readList(texts)
  if (words === undefined) return undefined
  const unknown = words.find((word) => word !== standardWord && !isScope(word))
  if (unknown !== undefined)
    throw usageError(
      `There is no scope "${unknown}"; the scopes are ${scopes.join(', ')}, and ${standardWord} for all but ${namedScopes.join(' and ')}`,
    )
  const named = new Set(words.flatMap((word) => (word === standardWord ? standardScopes : isScope(word) ? [word] : [])))
  return scopes.filter((scope) => named.has(scope))
}

/** The scopes in the words of `--scope`. */
export function formatScopes(granted: readonly Scope[]): string {
  const rest = standardScopes.every((scope) => granted.includes(scope))
    ? [standardWord, ...granted.filter((scope) => !standardScopes.includes(scope))]
    : granted
  return rest.join(',')
}

const createKeyCommand =
  (wanted: NewKey & { callsPerSecond: number }) =>
  async (ctx: Ctx): Promise<string> => {
    const { name, callsPerSecond, allowedFrom } = wanted
    const { key, expiresAt, scopes: granted } = await createKey(ctx, wanted)
    const until = expiresAt ? `until ${expiresAt}` : 'until it is revoked'
    return [
      `Platform key ${name} is valid from now, ${until}, for ${callsPerSecond} calls a second.`,
      `Scopes: ${formatScopes(granted)}. From: ${allowedFrom?.join(', ') ?? 'anywhere'}.`,
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
  const setting = [
    settingKeyName,
    '',
    'valid',
    'never',
    String(settingCallsPerSecond),
    '',
    '',
    '',
    'setting',
    standardWord,
    'anywhere',
  ]
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
    formatScopes(key.scopes),
    key.allowedFrom?.join(',') ?? 'anywhere',
  ])
  return formatTable(
    ['name', 'ends in', 'state', 'expires', 'calls/s', 'last used', 'from', 'made', 'by', 'scopes', 'networks'],
    [...(isSet ? [setting] : []), ...made],
  )
}

/** Values that are repeated or separated by commas. */
const readList = (texts: string[] | undefined) => texts?.flatMap((text) => text.split(','))

export const keyCommands = [
  defineCommand(
    'key create <name>',
    'make a key of the platform API and show it once',
    ({ name, expires, rate, scope, from }) =>
      createKeyCommand({
        name,
        ...(expires !== undefined && readExpiry(expires)),
        callsPerSecond: rate === undefined ? defaultCallsPerSecond : readRate(rate),
        scopes: readScopes(scope),
        allowedFrom: readList(from),
      }),
    {
      expires: ['90d', 'when it ends: in so many days, or with the beginning of a day (2027-01-31, UTC)'],
      rate: ['200', `how many calls a second it may make; ${defaultCallsPerSecond} when nothing is said`],
      scope: [
        'orders.read',
        `what it may do, repeated or separated by commas (docs/platform-api.md lists the scopes); standard, all scopes but ${namedScopes.join(' and ')}, when nothing is said`,
        'repeated',
      ],
      from: [
        '203.0.113.0/24',
        'a network or address that it may be used from, repeated or separated by commas',
        'repeated',
      ],
    },
  ),
  defineCommand('key list', 'all keys: state, end, last use, scopes, networks', () => showKeys),
  defineCommand('key revoke <name>', 'refuse a key from its next call on', ({ name }) => revokeKeyCommand(name)),
]
