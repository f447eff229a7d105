import { eventMessage, platformEvents, type PlatformEventType } from '#contract/schemas/platform-events.ts'
import { caseExample, eventExample } from './examples/messages.ts'
import type { SchemaBook } from './schemas.ts'
import { eventsTag } from './tags.ts'
import type { Json, Operation, Parameter, Reply, Schema } from './types.ts'

const signatureHeaders: Parameter[] = (
  [
    ['webhook-id', 'The message’s id, the same over all tries.', 'evt_0d8a7c'],
    ['webhook-timestamp', 'Seconds since 1970, of this try.', '1767607200'],
    [
      'webhook-signature',
      'By Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; two, separated by a blank, while one secret replaces the other.',
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    ],
  ] as const
).map(([name, description, example]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
}))

const acceptedReply: Reply = { description: 'Any 2xx: taken. Answer at once, and do the work afterwards.' }
const retryReply: Reply = {
  description: 'Anything else, or no answer within the time: sent again later. `Retry-After` is honoured.',
}
const goneReply: Reply = { description: 'Nothing more is sent until `npm run admin -- events resume`.' }

interface MessageDesign {
  operationId: string
  summary: string
  description: string
  schema: Schema
  example: Json
  responses: Operation['responses']
}

const describeMessage = ({ schema, example, ...about }: MessageDesign): { post: Operation } => ({
  post: {
    ...about,
    tags: [eventsTag],
    security: [{ standardWebhook: [] }],
    parameters: signatureHeaders,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
  },
})

/** `order.paid` → `onOrderPaid`. */
const buildOperationId = (type: string) => `on.${type}`.replace(/\.(.)/g, (_, first: string) => first.toUpperCase())

/** Infers the schema of an example, because the case is not a part of the contract with browsers. */
function inferSchema(example: Record<string, Json>): Schema {
  const properties = Object.entries(example).map(([name, value]): [string, Schema] => [
    name,
    typeof value === 'number' ? { type: 'integer' } : { anyOf: [{ type: 'string' }, { type: 'null' }] },
  ])
  const certain: Record<string, Schema> = Object.fromEntries(
    ['caseId', 'userId', 'submittedAt', 'email'].map((name) => [name, { type: 'string' }]),
  )
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(properties),
      ...certain,
      type: { type: 'string', const: 'kyc.submitted' },
      requestedBy: {
        type: 'string',
        enum: ['operator', 'queue'],
        description:
          'Who had it sent: an operator, or the queue that sends every submission and tries failed ones again.',
      },
    },
    required: [...new Set([...Object.keys(example), 'requestedBy'])],
  }
}

/** The outgoing messages: events to the platform, cases to the KYC provider. */
export function describeMessages(book: SchemaBook): Record<string, { post: Operation }> {
  const types = Object.keys(platformEvents) as PlatformEventType[]
  const events = types.map((type) => [
    type,
    describeMessage({
      operationId: buildOperationId(type),
      summary: platformEvents[type].summary,
      description:
        'Goes to `PLATFORM_WEBHOOK_URL`. Apply it only where `sequence` is above the last one you applied of its `entity`.',
      schema: book.describe(eventMessage(type), 'output'),
      example: eventExample(type),
      responses: { '2XX': acceptedReply, 410: goneReply, default: retryReply },
    }),
  ])
  const submitted = describeMessage({
    operationId: buildOperationId('kyc.submitted'),
    summary: 'A case is handed to the KYC provider',
    description: 'Goes to `KYC_WEBHOOK_URL`; the provider answers later by `POST /kyc-results`. Documents stay here.',
    schema: inferSchema({ ...caseExample }),
    example: { ...caseExample, requestedBy: 'queue' },
    responses: { '2XX': acceptedReply, default: retryReply },
  })
  return { ...Object.fromEntries(events), 'kyc.submitted': submitted }
}
