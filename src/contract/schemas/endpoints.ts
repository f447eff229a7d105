import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import {
  endpointNameProblem,
  endpointStates,
  endpointUrlProblem,
  eventTypes,
  isEndpointName,
  isEndpointUrl,
  longestEndpointName,
  longestEndpointUrl,
} from '#contract/endpoints.ts'
import { text, Timestamp } from './common.ts'

/** One of the platform's endpoints for events, without its secrets. */
export const Endpoint = z.object({
  id: z.string(),
  name: z.string(),
  /** The first endpoint, whose address and secrets are settings. */
  isFromSettings: z.boolean(),
  /** The host alone: a path may hold a secret. Null where the settings name none. */
  host: z.nullable(z.string()),
  /** The types of events that it gets; null: all. */
  types: z.nullable(z.array(z.enum(eventTypes))),
  isOn: z.boolean(),
  state: z.enum(endpointStates),
  /** Since when it takes no more (it answered 410), until it is resumed. */
  pausedAt: z.nullable(Timestamp),
  /** When the first try failed since the last success. */
  failingSince: z.nullable(Timestamp),
  lastSuccessAt: z.nullable(Timestamp),
  waiting: z.int(),
  /** Since when the oldest of them waits: a message that was sent again, since its first try of that sending. */
  oldestWaitingAt: z.nullable(Timestamp),
  /** Events that were given up and are kept until they are sent again. */
  failed: z.int(),
  /** How many sign each message: two while one replaces the other. */
  secrets: z.int(),
  secretSetAt: z.nullable(Timestamp),
  version: z.int(),
  createdAt: Timestamp,
})
export type Endpoint = z.infer<typeof Endpoint>

const Name = text(longestEndpointName, 1).check(z.refine(isEndpointName, endpointNameProblem))
const Url = text(longestEndpointUrl).check(z.refine(isEndpointUrl, endpointUrlProblem))
const Types = z.nullable(
  z
    .array(z.enum(eventTypes, { error: `must be of ${eventTypes.join(', ')}` }))
    .check(
      z.minLength(1, 'must name at least one type, or be null for all'),
      z.maxLength(eventTypes.length, 'names a type twice'),
    ),
)

export const NewEndpoint = z.strictObject({
  name: Name,
  url: Url,
  /** Null: all. */
  types: z._default(Types, null),
})
export type NewEndpoint = z.infer<typeof NewEndpoint>

/** What is absent stays as it is. */
export const EndpointChange = z.strictObject({
  name: z.optional(Name),
  url: z.optional(Url),
  types: z.optional(Types),
  isOn: z.optional(z.boolean()),
})
export type EndpointChange = z.infer<typeof EndpointChange>

/** An endpoint with its new secret, which is shown this once. */
export const EndpointWithSecret = z.object({ endpoint: Endpoint, secret: z.string() })
export type EndpointWithSecret = z.infer<typeof EndpointWithSecret>

const params = z.object({ id: z.string() })
const changed = z.object({ message: z.string(), endpoint: Endpoint })

export const endpointSchemas = {
  list: {
    summary: "The platform's endpoints for events, the one of the settings first",
    reply: z.object({ endpoints: z.array(Endpoint) }),
  },
  create: {
    summary: 'Add an endpoint; the reply shows its secret, once',
    body: NewEndpoint,
    reply: EndpointWithSecret,
    refuses: ['endpoint_taken', 'endpoint_limit'],
  },
  update: {
    summary: 'Change the name, address and types of an endpoint, and switch it on or off',
    params,
    body: EndpointChange,
    reply: changed,
    refuses: ['endpoint_fixed', 'endpoint_taken'],
  },
  remove: {
    summary: 'Delete an endpoint; what waits for it is dropped where the call says so',
    params,
    query: z.object({ dropOpen: z.optional(z.enum(['true', 'false'], { error: 'must be true or false' })) }),
    reply: z.object({ message: z.string(), dropped: z.int() }),
    refuses: ['endpoint_fixed', 'endpoint_waiting'],
  },
  rotateSecret: {
    summary: 'Give an endpoint a new secret, shown once; the old one goes on signing beside it',
    params,
    reply: EndpointWithSecret,
    refuses: ['endpoint_fixed', 'endpoint_state'],
  },
  endOldSecret: {
    summary: 'Let the new secret of an endpoint sign alone',
    params,
    reply: changed,
    refuses: ['endpoint_fixed', 'endpoint_state'],
  },
  resume: {
    summary: 'Send events again to an endpoint that answered 410',
    params,
    reply: changed,
    refuses: ['endpoint_state'],
  },
  test: {
    summary: 'Send a test event to an endpoint',
    params,
    reply: z.object({ message: z.string(), eventId: z.string() }),
    refuses: ['endpoint_state'],
  },
} satisfies Record<string, RouteSchemas>
