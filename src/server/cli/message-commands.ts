import { EndpointChange, NewEndpoint } from '#contract/schemas/endpoints.ts'
import { settingsEndpoint } from '#server/db/tables/platform-events.ts'
import { readAlarms } from '#server/features/alarms/service.ts'
import {
  createEndpoint,
  deleteEndpoint,
  endOldSecret,
  eventEndpoint,
  readEndpoints,
  resendEvent,
  resumeEndpoint,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
} from '#server/features/messages/service.ts'
import { type Command, defineCommand, usageError } from './command.ts'
import { count, formatTable } from './output.ts'

/** What the console's call would refuse, in one line. */
function read<T>(
  schema: { safeParse: (value: unknown) => { success: boolean; data?: T; error?: unknown } },
  value: unknown,
): T {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data!
  const [issue] = (error as { issues: { path: PropertyKey[]; message: string }[] }).issues
  throw usageError(`${issue!.path.map(String).join('.')}: ${issue!.message}`)
}

const list: Command = async (ctx) =>
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

function create(given: unknown): Command {
  const wanted = read(NewEndpoint, given)
  return async (ctx) => {
    const { endpoint, secret } = await createEndpoint(ctx, wanted)
    return `Events go to ${endpoint.name} (${endpoint.host}) from now on; its id is ${endpoint.id}.\n${shownOnce(secret)}`
  }
}

function change(id: string, given: object): Command {
  const wanted = read(EndpointChange, given)
  return async (ctx) => {
    const { name, state } = await updateEndpoint(ctx, id, wanted, undefined)
    return `${name} is changed; it is ${state}.`
  }
}

const remove =
  (id: string, dropsOpen: boolean): Command =>
  async (ctx) => {
    const { name, dropped } = await deleteEndpoint(ctx, id, { dropsOpen, ifMatch: undefined })
    return `${name} is deleted; ${count(dropped, 'message was', 'messages were')} dropped.`
  }

const showEndpointStatus: Command = async (ctx) => {
  const { host, pausedAt, waiting, oldestWaitingAt, failed } = await eventEndpoint(ctx)
  return [
    `Endpoint   ${host ?? 'none: PLATFORM_WEBHOOK_URL is not set here; the running console may have it'}`,
    `Paused     ${pausedAt ? `since ${pausedAt}: it answered 410; resume with: npm run admin -- events resume` : 'no'}`,
    `Waiting    ${waiting}${oldestWaitingAt ? `, the oldest since ${oldestWaitingAt}` : ''}`,
    `Given up   ${failed}`,
  ].join('\n')
}

const resume =
  (id: string): Command =>
  async (ctx) =>
    `Events go out again; they were paused since ${(await resumeEndpoint(ctx, id)).pausedAt}.`

const resend =
  (id: string): Command =>
  async (ctx) => {
    const { type, entityId } = await resendEvent(ctx, id)
    return `${type} of ${entityId} is sent again.`
  }

const showAlarms: Command = async (ctx) => {
  const outputs = await readAlarms(ctx)
  if (outputs.length === 0) return 'Nothing is sent: none of ALARMS_URL, ALARMS_LOG and ALARMS_SYSLOG is set here.'
  return formatTable(
    ['output', 'waiting', 'last sent', 'failing since', 'next try', 'problem'],
    outputs.map(({ output, waiting, lastSentAt, failingSince, nextTryAt, problem }) => [
      output,
      String(waiting),
      lastSentAt ?? 'never',
      failingSince ?? '–',
      nextTryAt ?? '–',
      problem ?? '–',
    ]),
  )
}

const readTypes = (types: string | undefined) => (types === undefined || types === 'all' ? null : types.split(','))

/** Where events, security events and audit rows go. */
export const messageCommands = [
  defineCommand('events status', 'where events go, whether they are paused, what waits', () => showEndpointStatus),
  defineCommand('events resume', 'send again to an endpoint that answered 410 (gone)', () => resume(settingsEndpoint)),
  defineCommand('events resend <id>', 'send one event again; its id is its webhook-id', ({ id }) => resend(id)),
  defineCommand('endpoint list', 'where events go: state, last success, what waits', () => list),
  defineCommand(
    'endpoint create <name> <url>',
    'add an endpoint and show its secret once',
    ({ name, url, types }) => create({ name, url, types: readTypes(types) }),
    { types: ['a,b', 'only these types of events; all when nothing is said'] },
  ),
  defineCommand(
    'endpoint set <id>',
    'change an endpoint',
    ({ id, name, url, types }) => {
      if (name === undefined && url === undefined && types === undefined)
        throw usageError('endpoint set needs one of: --name, --url, --types')
      return change(id, { name, url, ...(types !== undefined && { types: readTypes(types) }) })
    },
    {
      name: ['<name>', 'its new name'],
      url: ['<url>', 'where its events go from now on'],
      types: ['a,b', 'only these types of events, or all'],
    },
  ),
  defineCommand('endpoint on <id>', 'switch it on', ({ id }) => change(id, { isOn: true })),
  defineCommand('endpoint off <id>', 'switch it off', ({ id }) => change(id, { isOn: false })),
  defineCommand(
    'endpoint new-secret <id>',
    'give a new secret, shown once; both sign until:',
    ({ id }) =>
      async (ctx) =>
        shownOnce((await rotateSecret(ctx, id, undefined)).secret),
  ),
  defineCommand(
    'endpoint end-secret <id>',
    'let the new secret sign alone',
    ({ id }) =>
      async (ctx) =>
        `The new secret of ${(await endOldSecret(ctx, id, undefined)).name} signs alone.`,
  ),
  defineCommand('endpoint resume <id>', 'send again to an endpoint that answered 410 (gone)', ({ id }) => resume(id)),
  defineCommand(
    'endpoint test <id>',
    'send it a test event',
    ({ id }) =>
      async (ctx) =>
        `The test event ${await testEndpoint(ctx, id)} goes out.`,
  ),
  defineCommand(
    'endpoint delete <id>',
    'delete it, where nothing waits for it',
    ({ id, 'drop-open': dropsOpen = false }) => remove(id, dropsOpen),
    { 'drop-open': 'and drop what waits for it or was given up' },
  ),
  defineCommand(
    'alarms status',
    'where security events and audit rows are sent, what waits, and what fails',
    () => showAlarms,
  ),
]
