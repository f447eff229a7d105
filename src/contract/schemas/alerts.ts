import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import {
  alertCodeDigits,
  alertKinds,
  alertOutputs,
  alertTimings,
  emailProblem,
  isEmail,
  longestEmail,
  type AlertKind,
} from '#contract/alerts.ts'
import { endpointUrlProblem, isEndpointUrl, longestEndpointUrl } from '#contract/endpoints.ts'
import { text, TimeZone, Timestamp } from './common.ts'

const Timing = z.enum(alertTimings, { error: `must be one of ${alertTimings.join(', ')}` })
const Kind = z.enum(alertKinds as [AlertKind, ...AlertKind[]], { error: 'must be a notice that is sent as an alert' })

/** When a notice goes by each output. */
const AlertChoice = z.object({ kind: Kind, email: Timing, chat: Timing })
export type AlertChoice = z.infer<typeof AlertChoice>

/** How sending to one output went. */
const output = {
  lastSentAt: z.nullable(Timestamp),
  /** Since when no try has succeeded. Null: the last one did, or there was none. */
  failingSince: z.nullable(Timestamp),
  /** Why the last try failed. */
  problem: z.nullable(z.string()),
}

export const Alerts = z.object({
  email: z.object({
    ...output,
    /** Whether this console can send e-mail (SMTP_URL). */
    isSet: z.boolean(),
    /** The confirmed address. */
    address: z.nullable(z.string()),
    /** An address whose code was sent and has not been entered, and until when it can be. */
    waitingAddress: z.nullable(z.string()),
    codeExpiresAt: z.nullable(Timestamp),
  }),
  chat: z.object({
    ...output,
    /** The host alone: the path of a webhook is its secret. */
    host: z.nullable(z.string()),
  }),
  /** One for each notice that the admin's role may see, in the order of notices. */
  choices: z.array(AlertChoice),
  /** The hour of the morning digest, 0 to 23, and the zone whose clock it is. Null: none was chosen yet. */
  digestHour: z.int(),
  timeZone: z.nullable(z.string()),
  version: z.int(),
})
export type Alerts = z.infer<typeof Alerts>

/** Kinds that are not named stay as they are. */
export const AlertChoices = z.strictObject({
  choices: z.array(z.strictObject(AlertChoice.shape)).check(z.maxLength(alertKinds.length, 'names a notice twice')),
  digestHour: z
    .number({ error: 'must be a whole number from 0 to 23' })
    .check(
      z.int('must be a whole number from 0 to 23'),
      z.minimum(0, 'must be a whole number from 0 to 23'),
      z.maximum(23, 'must be a whole number from 0 to 23'),
    ),
  timeZone: TimeZone,
})
export type AlertChoices = z.infer<typeof AlertChoices>

const Output = z.enum(alertOutputs, { error: `must be one of ${alertOutputs.join(', ')}` })
const changed = z.object({ message: z.string(), alerts: Alerts })

export const alertSchemas = {
  read: { summary: 'Where alerts of the signed-in admin go, how sending went, and what was chosen', reply: Alerts },
  choose: {
    summary: 'Choose which notices go out, by which output, at once or as a morning digest',
    body: AlertChoices,
    reply: changed,
    refuses: ['forbidden'],
  },
  setEmail: {
    summary: 'Send a code to an e-mail address; nothing else goes there until the code was entered',
    body: z.strictObject({ address: text(longestEmail).check(z.refine(isEmail, emailProblem)) }),
    reply: changed,
    refuses: ['alerts_unset', 'too_many_requests'],
  },
  confirmEmail: {
    summary: 'Enter the code that was sent to an e-mail address',
    body: z.strictObject({
      code: z
        .string()
        .check(z.regex(new RegExp(`^\\d{${alertCodeDigits}}$`), `must be the ${alertCodeDigits} digits of the e-mail`)),
    }),
    reply: changed,
  },
  setChat: {
    summary: 'Set the address of an incoming webhook of a chat',
    body: z.strictObject({ url: text(longestEndpointUrl).check(z.refine(isEndpointUrl, endpointUrlProblem)) }),
    reply: changed,
  },
  remove: {
    summary: 'Remove the address of an output; nothing goes there any more',
    params: z.object({ output: Output }),
    reply: changed,
  },
  test: {
    summary: 'Send a test to an output',
    params: z.object({ output: Output }),
    reply: z.object({ message: z.string() }),
    refuses: ['alerts_unset', 'too_many_requests'],
  },
} satisfies Record<string, RouteSchemas>
