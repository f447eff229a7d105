import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { type ErrorCode, errorCodes } from '#contract/errors.ts'
import { eventMessage, type PlatformEventType } from '#contract/schemas/platform-events.ts'
import { KycResult } from '#contract/schemas/platform-api.ts'
import { importLines } from '#contract/schemas/platform.ts'
import { allRoutes, type NamedRoute } from '#contract/schemas/routes.ts'
import { checkPrecondition } from '#server/core/upsert.ts'
import { buildOpenApiDocument } from './document.ts'
import { listRefusals } from './refusals.ts'
import { eventExample, eventExamples } from './examples/messages.ts'
import { callExamples, importedLines } from './examples/calls.ts'
import { components } from './components.ts'
import { fieldTexts } from './field-texts.ts'
import { toPathTemplate } from './operation.ts'
import { renderReaderPage, renderSignInPage } from './reader.ts'
import type { Operation, Schema } from './types.ts'

const document = buildOpenApiDocument('https://console.example.com')
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
const textOf = (named: NamedRoute, code: ErrorCode) => listRefusals(named).find((each) => each.code === code)?.message
const find = (name: string): Operation => operations.find((each) => each.name === name)!.operation

test('the description is valid OpenAPI 3.1 (product 10.2)', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone({ ...document }))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(document.openapi).toBe('3.1.0')
})

test('every call of both APIs is in it and nothing else, each under an id of its own (product 10.2)', () => {
  const calls = allRoutes.map(({ route }) => `${route.method} ${toPathTemplate(route.path)}`)
  expect(operations.map(({ name }) => name).toSorted()).toEqual(calls.toSorted())
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(calls.length)
})

test('every tag, schema and header is both declared and used', () => {
  const json = JSON.stringify(document)
  const referred = new Set(
    [...json.matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
  )
  const { schemas, headers } = document.components
  const present = [
    ...Object.keys(schemas).map((n) => `schemas/${n}`),
    ...Object.keys(headers).map((n) => `headers/${n}`),
  ]
  expect([...referred].toSorted()).toEqual(present.toSorted())
  expect(Object.keys(schemas).toSorted()).toEqual(Object.keys(components).toSorted())
  const grouped = document['x-tagGroups'].flatMap(({ tags }) => tags)
  expect(grouped).toEqual(document.tags.map(({ name }) => name))
  const all = [
    ...operations.map(({ operation }) => operation),
    ...Object.values(document.webhooks).map(({ post }) => post),
  ]
  expect(new Set(all.flatMap(({ tags }) => tags))).toEqual(new Set(grouped))
})

test('every text about a field is about a field that there is', () => {
  for (const [name, texts] of Object.entries(fieldTexts))
    for (const field of Object.keys(texts)) {
      const schema = document.components.schemas[name]
      expect((schema?.oneOf?.[0] ?? schema)?.properties, `${name}.${field}`).toHaveProperty(field)
    }
})

test.each(allRoutes.map(({ name, route }) => [name, route] as const))(
  'the example of %s is what the contract takes and answers',
  (_name, route) => {
    const { parameters = [], requestBody, responses } = find(`${route.method} ${toPathTemplate(route.path)}`)
    const read = (where: 'path' | 'query') =>
      Object.fromEntries(
        parameters
          .filter((each) => each.in === where && each.example !== undefined)
          .map(({ name, example }) => [name, String(example)]),
      )
    const json = 'application/json'
    const reply = responses['200']?.content?.[json]?.example
    const given = { params: read('path'), query: read('query'), body: requestBody?.content[json]?.example, reply }
    for (const part of ['params', 'query', 'body', 'reply'] as const)
      expect(route[part]?.safeParse(given[part]).error?.issues ?? [], part).toEqual([])
    // A field that the contract does not name would be left out without a word.
    if (route.reply) expect(route.reply.parse(reply), 'a reply').toEqual(reply)
  },
)

test('examples of raw bodies and of what we send match their schemas', () => {
  for (const line of importedLines) expect(importLines[line.type].safeParse(line).error).toBeUndefined()
  expect(KycResult.safeParse(callExamples['platform.kycResults']?.body).error).toBeUndefined()
  for (const type of Object.keys(eventExamples) as PlatformEventType[])
    expect(eventMessage(type).safeParse(eventExample(type)).error).toBeUndefined()
})

test('events and KYC cases are described as signed messages (product 11.2)', () => {
  expect(Object.keys(document.webhooks)).toEqual([...Object.keys(eventExamples), 'kyc.submitted'])
  for (const { post } of Object.values(document.webhooks))
    expect(post.parameters?.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
})

test('an event of a list has the data of its type, as its message does', () => {
  const { oneOf = [] } = document.components.schemas.PlatformEventRecord!
  expect(oneOf.map(({ properties }) => properties?.type?.const)).toEqual(Object.keys(eventExamples))
  for (const [at, type] of Object.keys(eventExamples).entries()) {
    const { schema } = document.webhooks[type]!.post.requestBody!.content['application/json']!
    expect(oneOf[at]!.properties).toMatchObject(schema.properties!)
  }
  const paid = oneOf.find(({ properties }) => properties?.type?.const === 'order.paid')!.properties!
  expect(paid.entity?.properties?.type).toEqual({ type: 'string', const: 'order' })
})

test('instants and amounts of answers are described as such', () => {
  const { PlatformOrder } = document.components.schemas
  expect(PlatformOrder?.properties).toMatchObject({
    createdAt: { type: 'string', format: 'date-time' },
    paidAt: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    investmentAmount: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
    received: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  })
})

test('each API names the credentials that it accepts (product 10.2)', () => {
  expect(find('PUT /api/platform/v1/members/{id}').security).toEqual([{ platformKey: [] }])
  expect(find('GET /api/users').security).toEqual([{ session: [] }])
  expect(find('GET /api/openapi.json').security).toEqual([{ session: [] }, { platformKey: [] }])
  expect(find('POST /api/auth/login').security).toEqual([])
  expect(find('POST /api/platform/v1/kyc-results').security).toEqual([
    { standardWebhook: [] },
    { payloadDigest: [] },
    { hmacSignature: [] },
  ])
})

test('each call of the console names the permissions it requires (product 2.6)', () => {
  expect(find('GET /api/users')['x-permissions']).toEqual(['members.view'])
  expect(find('GET /api/exports/users')['x-permissions']).toEqual(['exports.take', 'members.view'])
  const refused = find('PATCH /api/orders/{id}/status').responses[403]?.content?.['application/json']?.examples
  expect(refused?.forbidden?.value).toMatchObject({ message: expect.stringContaining('(orders.decide)') })
})

test('every refusal is an ErrorReply with each code and a message as an example (product 8.5)', () => {
  for (const { name, operation } of operations)
    for (const [status, reply] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue
      const media = reply.content?.['application/json']
      expect(media?.schema, `${name} ${status}`).toEqual({ $ref: '#/components/schemas/ErrorReply' })
      expect(Object.keys(media?.examples ?? {}).length, `${name} ${status}`).toBeGreaterThan(0)
    }
  const { responses } = find('POST /api/users/{id}/ban')
  expect(Object.keys(responses[409]?.content?.['application/json']?.examples ?? {})).toEqual([
    'approval_waiting',
    'stale',
    'already_banned',
    'member_erased',
  ])
})

test('a refusal names only a parameter that its call has', () => {
  const named = allRoutes.filter((each) => textOf(each, 'invalid')?.startsWith('limit:'))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ route }) => !('limit' in (route.query?.shape ?? {}))).map(({ name }) => name)).toEqual([])
})

test('only the refusal of a change says that nothing was changed', () => {
  for (const each of allRoutes.filter(({ route }) => route.access !== 'public'))
    expect(textOf(each, 'busy')?.includes('nothing was changed'), each.name).toBe(each.route.method !== 'GET')
})

test('a version that is too old is described as the platform is told it', () => {
  for (const [name, what] of [
    ['platform.saveMember', 'member'],
    ['platform.saveOrder', 'order'],
    ['platform.saveToken', 'token'],
  ])
    expect(
      textOf(
        allRoutes.find((each) => each.name === name)!,
        'stale',
      ),
    ).toBe(checkPrecondition(what!, 2, { version: 3 })!.message)
})

test('every error code is answered by a call or stands in an import report', () => {
  const answered = new Set(allRoutes.flatMap((named) => listRefusals(named).map(({ code }) => code)))
  // Those of an import's lines, and of a method that no call has.
  const others = ['chain_disagrees', 'decision_waits_here', 'method_not_allowed']
  expect([...answered, ...others].toSorted()).toEqual([...errorCodes].toSorted())
})

test('filters, defaults and limits are described as they are read (product 8.3)', () => {
  const parameters = find('GET /api/users').parameters ?? []
  const schemaOf = (name: string) => parameters.find((each) => each.name === name)?.schema
  expect(schemaOf('limit')).toEqual({ type: 'integer', minimum: 1, maximum: 1000, default: 50 })
  expect(schemaOf('kycStatus')).toEqual({ type: 'string', enum: ['completed', 'pending'] })
  expect(parameters.filter(({ required }) => required)).toEqual([])
  const walk = (schema: Schema): void => {
    expect(schema.type).not.toBeInstanceOf(Array)
    for (const inner of [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])]) walk(inner)
  }
  for (const schema of Object.values(document.components.schemas)) walk(schema)
  const { MemberBody, Step2 } = document.components.schemas
  expect(MemberBody).toMatchObject({ required: ['email'], additionalProperties: false })
  expect(Step2?.properties?.dateOfBirth).toEqual({ type: 'string', format: 'date' })
})

test('If-Match and Idempotency-Key are named where they are minded (product 8.4, 10.2)', () => {
  const takes = (header: string) =>
    operations
      .filter(({ operation }) => operation.parameters?.some(({ name }) => name === header))
      .map(({ name }) => name)
  expect(takes('Idempotency-Key').toSorted()).toEqual([
    'POST /api/platform/v1/bank-statements',
    'POST /api/platform/v1/import',
    'POST /api/platform/v1/orders/{orderNumber}/complete',
    'POST /api/platform/v1/test-events',
  ])
  expect(takes('Content-Encoding')).toEqual(['POST /api/platform/v1/import'])
  expect(takes('If-Match')).toHaveLength(28)
  expect(
    takes('If-None-Match')
      .map((call) => call.replace('/api/platform/v1', ''))
      .toSorted(),
  ).toEqual([
    'GET /api/openapi.json',
    'GET /events',
    'GET /members',
    'GET /members/{id}/wallets',
    'GET /orders',
    'PUT /members/{id}',
    'PUT /orders/{orderNumber}',
    'PUT /tokens/{kind}/{contractAddress}',
  ])
})

test('the page holds every call, message and schema, and no text becomes markup', () => {
  const page = renderReaderPage(document, { stylesheets: ['/assets/x.css'] })
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const { operation } of operations) expect(ids).toContain(operation.operationId)
  for (const [, target] of page.matchAll(/ href="#([^"]+)"/g)) expect(ids).toContain(target)
  expect(page).not.toMatch(/undefined|\[object|style="|<script(?! src="\/theme\.js"><\/script>)/)
  const evil = structuredClone(document)
  evil.info.description = '<img src=x onerror=alert(1)>'
  expect(renderReaderPage(evil, { stylesheets: [] })).not.toContain('<img')
  expect(renderSignInPage({ stylesheets: [] })).toContain('href="/login"')
})

test('every pattern is one that engines without backtracking read', () => {
  const patterns = [...JSON.stringify(document).matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!)
  expect(patterns.length).toBeGreaterThan(5)
  for (const pattern of patterns) expect(pattern).not.toMatch(/\(\?[=!<]|\\\\[1-9]|\\\\[pu]/)
})

test('a parameter that is a number has a number as its example', () => {
  for (const { name, operation } of operations)
    for (const { schema, example } of operation.parameters ?? [])
      if (schema.type === 'integer' && example !== undefined) expect(example, name).toBeTypeOf('number')
})

test('a body of which no field is needed may be absent', () => {
  expect(find('PUT /api/platform/v1/members/{id}/wallets/{address}').requestBody?.required).toBe(false)
  expect(find('PUT /api/platform/v1/members/{id}').requestBody?.required).toBe(true)
})

test('an error code is an enum, and a case says who had it sent', () => {
  expect(document.components.schemas.ErrorReply?.properties?.code?.enum).toEqual(errorCodes)
  const sent = document.webhooks['kyc.submitted']!.post.requestBody!.content['application/json']!.schema
  expect(sent.properties?.requestedBy?.description).toMatch(/operator/)
})

test('every answer names its headers, and every refusal begins with a sentence', () => {
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, { responses }] of Object.entries(operations))
      for (const [status, { description, headers = {} }] of Object.entries(responses)) {
        const place = `${method} ${path} ${status}`
        expect(Object.keys(headers), place).toContain('X-Request-Id')
        expect(description, place).toMatch(/^[A-Z][a-z ]/)
      }
  const saved = document.paths['/api/platform/v1/members/{id}']!['put']!.responses
  expect(saved['200']!.headers).toHaveProperty('ETag')
  expect(saved['401']!.headers).toHaveProperty('WWW-Authenticate')
  const completed = document.paths['/api/platform/v1/orders/{orderNumber}/complete']!['post']!.responses
  expect(completed['200']!.headers).toHaveProperty('Idempotent-Replayed')
})
