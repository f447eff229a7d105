import type { Ctx } from '#server/core/context.ts'
import { eventEndpoint, resendEvent, resumeEndpoint } from '#server/features/messages/service.ts'
import { settingsEndpoint } from '#server/db/tables/platform-events.ts'
import { CommandError } from '#server/lib/command-error.ts'

export const eventUsage = `  events status                where events go, whether they are paused, what waits
  events resume                send again to an endpoint that answered 410 (gone)
  events resend <event id>     send one event again; its id is its webhook-id`

/** Parses the words after `npm run admin -- events`. Throws CommandError for unknown commands. */
export function readEventCommand(words: string[]): (ctx: Ctx) => Promise<string> {
  const [name, id, ...rest] = words
  if (name === 'status' && id === undefined) return showEndpointStatus
  if (name === 'resume' && id === undefined) return resumeEvents
  if (name === 'resend' && id !== undefined && rest.length === 0) return resendCommand(id)
  if (name === undefined) throw new CommandError('events needs one more word: status, resume or resend', 2)
  if (name === 'resend' && id === undefined)
    throw new CommandError("events resend needs one more word: the event's id, which is its webhook-id", 2)
  throw new CommandError(`There is no command "${['events', ...words].join(' ')}"`, 2)
}

async function showEndpointStatus(ctx: Ctx): Promise<string> {
  const { host, pausedAt, waiting, oldestWaitingAt, failed } = await eventEndpoint(ctx)
  return [
    `Endpoint   ${host ?? 'none: PLATFORM_WEBHOOK_URL is not set here; the running console may have it'}`,
    `Paused     ${pausedAt ? `since ${pausedAt}: it answered 410; resume with: npm run admin -- events resume` : 'no'}`,
    `Waiting    ${waiting}${oldestWaitingAt ? `, the oldest since ${oldestWaitingAt}` : ''}`,
    `Given up   ${failed}`,
  ].join('\n')
}

const resumeEvents = async (ctx: Ctx) =>
  `Events go out again; they were paused since ${(await resumeEndpoint(ctx, settingsEndpoint)).pausedAt}.`

const resendCommand = (id: string) => async (ctx: Ctx) => {
  const { type, entityId } = await resendEvent(ctx, id)
  return `${type} of ${entityId} is sent again.`
}
