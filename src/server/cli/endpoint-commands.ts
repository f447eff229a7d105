import { parseArgs } from 'node:util'
import { EndpointChange, NewEndpoint } from '#contract/schemas/endpoints.ts'
import type { Ctx } from '#server/core/context.ts'
import {
  createEndpoint,
  deleteEndpoint,
  endOldSecret,
  readEndpoints,
  resumeEndpoint,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
} from '#server/features/messages/service.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { formatTable } from './table.ts'

export const endpointUsage = `  endpoint list                where events go: state, last success, what waits
  endpoint create <name> <url> add an endpoint and show its secret once
      --types a,b              only these types of events; all when nothing is said
  endpoint set <id>            change an endpoint
      --name <name> --url <url> --types a,b|all
  endpoint on|off <id>         switch it on or off
  endpoint new-secret <id>     give a new secret, shown once; both sign until:
  endpoint end-secret <id>     let the new secret sign alone
  endpoint resume <id>         send again to an endpoint that answered 410 (gone)
  endpoint test <id>           send it a test event
  endpoint delete <id>         delete it, where nothing waits for it
      --drop-open              and drop what waits for it or was given up`

type Run = (ctx: Ctx) => Promise<string>
const wrong = (problem: string) => new CommandError(problem, 2)
const options = {
  name: { type: 'string' },
  url: { type: 'string' },
  types: { type: 'string' },
  'drop-open': { type: 'boolean' },
} as const

const words = {
  list: { least: 0, takes: [] },
  create: { least: 2, takes: ['types'] },
  set: { least: 1, takes: ['name', 'url', 'types'] },
  on: { least: 1, takes: [] },
  off: { least: 1, takes: [] },
  'new-secret': { least: 1, takes: [] },
  'end-secret': { least: 1, takes: [] },
  resume: { least: 1, takes: [] },
  test: { least: 1, takes: [] },
  delete: { least: 1, takes: ['drop-open'] },
} satisfies Record<string, { least: number; takes: (keyof typeof options)[] }>
type Verb = keyof typeof words

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

const isVerb = (word: string): word is Verb => Object.hasOwn(words, word)

/** `npm run admin -- endpoint …`: the words after `endpoint`. Throws CommandError for what is no command. */
export function readEndpointCommand(args: string[]): Run {
  const { values, positionals } = parse(args)
  const [verb, ...given] = positionals
  if (verb === undefined) throw wrong(`endpoint needs one more word: ${Object.keys(words).join(', ')}`)
  if (!isVerb(verb)) throw wrong(`There is no command "endpoint ${verb}"`)
  const { least, takes }: { least: number; takes: string[] } = words[verb]
  const odd = Object.keys(values).find((name) => !takes.includes(name))
  if (odd !== undefined) throw wrong(`endpoint ${verb} knows no --${odd}`)
  if (given.length < least) throw wrong(`endpoint ${verb} needs one more word`)
  if (given.length > least) throw wrong(`endpoint ${verb} does not know what to do with "${given[least]}"`)
  const types = values.types === undefined || values.types === 'all' ? null : values.types.split(',')
  if (verb === 'list') return list
  if (verb === 'create') return create({ name: given[0], url: given[1], types })
  const [id = ''] = given
  if (verb === 'set')
    return change(id, { name: values.name, url: values.url, ...(values.types !== undefined && { types }) })
  if (verb === 'delete') return remove(id, values['drop-open'] === true)
  return simple[verb](id)
}

/** What the console's call would refuse, in one line. */
function read<T>(
  schema: { safeParse: (value: unknown) => { success: boolean; data?: T; error?: unknown } },
  value: unknown,
): T {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data!
  const [issue] = (error as { issues: { path: PropertyKey[]; message: string }[] }).issues
  throw wrong(`${issue!.path.map(String).join('.')}: ${issue!.message}`)
}

const list: Run = async (ctx) =>
  formatTable(
    ['id', 'name', 'host', 'state', 'types', 'last success', 'waiting', 'given up', 'secrets'],
    (await readEndpoints(ctx)).map((each) => [
      each.id,
      each.name,
      each.host ?? 'PLATFORM_WEBHOOK_URL is not set here',
      each.state,
      each.types?.join(',') ?? 'all',
      each.lastSuccessAt ?? 'never',
      String(each.waiting),
      String(each.failed),
      String(each.secrets),
    ]),
  )

const shownOnce = (secret: string) => `Secret: ${secret}\nIt is shown this once.`

function create(given: unknown): Run {
  const wanted = read(NewEndpoint, given)
  return async (ctx) => {
    const { endpoint, secret } = await createEndpoint(ctx, wanted)
    return `Events go to ${endpoint.name} (${endpoint.host}) from now on; its id is ${endpoint.id}.\n${shownOnce(secret)}`
  }
}

function change(id: string, given: object): Run {
  const wanted = read(EndpointChange, given)
  return async (ctx) => {
    const { name, state } = await updateEndpoint(ctx, id, wanted, undefined)
    return `${name} is changed; it is ${state}.`
  }
}

const remove =
  (id: string, dropsOpen: boolean): Run =>
  async (ctx) => {
    const { name, dropped } = await deleteEndpoint(ctx, id, { dropsOpen, ifMatch: undefined })
    return `${name} is deleted; ${dropped === 1 ? '1 message was' : `${dropped} messages were`} dropped.`
  }

const simple: Record<Exclude<Verb, 'list' | 'create' | 'set' | 'delete'>, (id: string) => Run> = {
  on: (id) => change(id, { isOn: true }),
  off: (id) => change(id, { isOn: false }),
  'new-secret': (id) => async (ctx) => shownOnce((await rotateSecret(ctx, id, undefined)).secret),
  'end-secret': (id) => async (ctx) =>
    `The new secret of ${(await endOldSecret(ctx, id, undefined)).name} signs alone.`,
  resume: (id) => async (ctx) =>
    `Events go out again; they were paused since ${(await resumeEndpoint(ctx, id)).pausedAt}.`,
  test: (id) => async (ctx) => `The test event ${await testEndpoint(ctx, id)} goes out.`,
}
