import * as z from 'zod'
import type { Json, Schema } from '#server/openapi/types.ts'
import { at, bank, contract, day, email, hash, later, memberId, orderNumber, phone, wallet } from './samples.ts'

const allNamed = (names: string, value: Json) => Object.fromEntries(names.split(' ').map((name) => [name, value]))

/**
 * Values of well-known fields by the end of their names, with the names around them: `email` is also of `userEmail`,
 * and `tokenName` is the name of a `Token`. The longest one whose value the schema accepts counts.
 */
const samples: Record<string, Json> = {
  ...bank,
  ...allNamed('id ids allocationIds sealedTo seq', '7'),
  ...allNamed('userId memberId entityId memberRefId', memberId),
  ...allNamed('orderNumber orderNumbers proposedOrders reference references targetName', orderNumber),
  ...allNamed('by actor author owner operator username displayName', 'ada'),
  ...allNamed('expiresAt until nextTryAt', later),
  ...allNamed('on day from to start end dateOfBirth', day),
  ...allNamed('email emailAddress waitingAddress', email),
  ...allNamed('userName membersName payerName payeeName payer', 'Ana Lima'),
  ...allNamed('firstName first', 'Ana'),
  ...allNamed('lastName last', 'Lima'),
  ...allNamed('projectName tokenName contractName chainName', 'Solar Park'),
  ...allNamed('name label', 'Giro'),
  ...allNamed('account accounts', 'DE89370400440532013000'),
  ...allNamed('currency unit', 'EUR'),
  language: 'en',
  ...allNamed('amount maxAutoAmount fromAmount received asked credits debits opening closing', '1500.00'),
  ...allNamed('allocated creditsOpen waitingOpen due refundDue returnable kept supply members volume', '1500.00'),
  ...allNamed('applied refund returned reversal ignored outstanding paidBack takenBack proofAccepted', '0.00'),
  ...allNamed('difference jump feeTolerance overpaidUpTo balance own', '0.00'),
  ...allNamed('share approved pending rejected', '25.0'),
  ...allNamed('tokenSymbol symbol', 'SOLAR'),
  ...allNamed('address walletAddress', wallet),
  ...allNamed('contractAddress tokenAddress', contract),
  ...allNamed('documentPath documentUrl selfieUrl selfiePath', 'doc_3f9a2c'),
  ...allNamed('nationality countryOfResidence', 'PT'),
  ...allNamed('reason notes note text comment remittance info', 'Seen on the statement'),
  ...allNamed('rejectionReason providerReason', 'The document has expired. Please upload a valid one.'),
  ...allNamed('url link uri', 'https://example.com/7'),
  ...allNamed('search q', 'lima'),
  ...allNamed('token challenge setup', 'kq3Yw0sZ7mB1nXcVtR5uJpL8aHdEfG2iO4yT6wQzK9M'),
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  recoveryCodes: '7k2m-9q4x-ht0d-v8rn-3c6p-w5fz',
  code: '287082',
  password: 'seven grey herons at noon',
  newPassword: 'a walk along the river at dusk',
  returnTo: '/orders',
  device: 'Firefox 145 on Windows',
  message: 'Done',
  endpoint: 'Billing',
  deliveryType: 'member.banned',
  number: '4',
  place: 'line 812',
  entityType: 'user',
  targetType: 'user',
  eventType: 'login_failed',
  paymentReference: 'RF39ORD1042',
  fileName: '2026-01-05.sta',
  size: 48_210,
  transactionId: 't-1',
  fractionId: 'f-1',
  phone,
  membershipId: 'MB-00000018',
  transactionHash: hash,
  documentType: 'passport',
  caseId: 'case_5c1f0d8a7c29b344',
  host: 'example.com',
  ipAddress: '203.0.113.7',
  timeZone: 'Europe/Lisbon',
  logo: '🪙',
  profileColumns: { bookedOn: 0, amount: 3, name: 1, remittance: 2 },
  kycStatus: 'approved',
  status: 'paid',
  limit: 50,
  version: 3,
  decimals: 18,
  chainId: 56,
  blockNumber: 74_210_377,
  httpStatus: 204,
  lastStatus: 204,
  alg: -7,
  // What is mostly not there, or not so.
  ...allNamed('warnings unreadable knownLines', []),
  ...allNamed('linesKnown unreadableCount', 0),
  ...allNamed('erasedAt bannedReason banInfo undone undoneBy undoneAt undoReason completedAt next', null),
  ...allNamed('acceptedUnreadable acceptedGap acceptedDifference contradiction', null),
  ...allNamed('failure failingSince problem errorMessage ultimate refusal obstacle stopCause stoppedBy', null),
  ...allNamed('kycBanned userBanned banned final partial isGap isReversal isOld isBlocked isSuperseded', false),
}
const sampleNames = Object.keys(samples).toSorted((one, other) => other.length - one.length)

/** For a text without a sample: the first that its schema accepts. */
const texts = ['text', '7', at, day, '1500.00', 'EUR', wallet, hash, 'c2FtcGxl', '40718823']

function accepts(schema: Schema, value: Json): boolean {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.some((option) => accepts(option, value))
  if (schema.type === 'array' || Array.isArray(value)) return schema.type === 'array' && Array.isArray(value)
  if (schema.type === 'object') return typeof value === 'object' && value !== null
  // Its type is narrower than that of the schemas that zod itself wrote.
  return !schema.$ref && z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema).safeParse(value).success
}

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** `Order` and `userEmail` → `OrderUserEmail`. */
export const joinNames = (owner: string, name: string) => owner + capitalize(name)

/** An example of a schema. `named` has those it refers to, `place` is the name of its field with those around it. */
export function buildExample(schema: Schema, named: Record<string, Schema>, place: string): Json {
  const reference = schema.$ref?.split('/').at(-1)
  if (reference !== undefined) return buildExample(named[reference] ?? {}, named, reference)
  if (schema.const !== undefined) return schema.const
  const sample = sampleNames.find(
    (name) => (place.endsWith(capitalize(name)) || place === name) && accepts(schema, samples[name]!),
  )
  if (sample !== undefined) return samples[sample]!
  if (schema.enum) return schema.enum[0]!
  const option = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null')
  if (option) return buildExample(option, named, place)
  if (schema.type === 'array') return [buildExample(schema.items ?? {}, named, place)]
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (schema.type === 'string') return texts.find((text) => accepts(schema, text)) ?? 'text'
  const fields = Object.entries(schema.properties ?? {})
  return Object.fromEntries(fields.map(([name, field]) => [name, buildExample(field, named, joinNames(place, name))]))
}
