import * as z from 'zod/mini'
import { endpointStates } from '#contract/endpoints.ts'
import { Timestamp } from './common.ts'
import { platformEvents, type PlatformEventType } from './platform-events.ts'

const eventTypes = Object.keys(platformEvents) as [PlatformEventType, ...PlatformEventType[]]

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
