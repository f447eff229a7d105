import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { eventMessage, type PlatformEventType } from '#contract/platform-events.ts'
import { KycResult } from '#contract/platform-api.ts'
import { importLines } from '#contract/platform.ts'
import { allRoutes } from '#contract/routes.ts'
import { openApiDocument } from './document.ts'
import { examples } from './examples/index.ts'
import { eventExamples } from './examples/messages.ts'
import { importedLines } from './examples/platform.ts'
import { components } from './components.ts'
import { fieldTexts } from './field-texts.ts'
import { at } from './examples/samples.ts'
import { templateOf } from './operation.ts'
import { readerPage, signInPage } from './reader.ts'
import type { Operation, Schema } from './types.ts'

const document = openApiDocument('https://console.example.com')
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
const find = (name: string): Operation => operations.find((each) => each.name === name)!.operation

test('PRODUCT 4: the description is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone({ ...document }))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(document.openapi).toBe('3.1.0')
})

test('PRODUCT 4: every call of both doors is in it and nothing else, each under an id of its own', () => {
  const calls = allRoutes.map(({ route }) => `${route.method} ${templateOf(route.path)}`)
  expect(operations.map(({ name }) => name).toSorted()).toEqual(calls.toSorted())
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(calls.length)
})

test('every tag, schema and header that is named is there, and every one that is there is used', () => {
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
    for (const field of Object.keys(texts))
      expect(document.components.schemas[name]?.properties, `${name}.${field}`).toHaveProperty(field)
})

test.each(allRoutes.map(({ name, route }) => [name, route] as const))(
  'the example of %s is what the contract takes and answers',
  (name, route) => {
    const example = examples[name]
    for (const part of ['params', 'query', 'body', 'reply'] as const) {
      const schema = route[part]
      const read = schema?.safeParse(example[part] ?? (part === 'query' ? {} : undefined))
      expect(read?.error?.issues ?? [], part).toEqual([])
      // A field that the contract does not name would be left out without a word.
      if (part === 'reply' && read?.success) expect(read.data).toEqual(example.reply)
    }
    if (route.reply) expect(example.reply, 'a reply').toBeDefined()
  },
)

test('the examples of what is sent raw, and of what we send, are of the form that they are to show', () => {
  for (const line of importedLines) expect(importLines[line.type].safeParse(line).error).toBeUndefined()
  expect(KycResult.safeParse(examples['platform.kycResults'].rawBody).error).toBeUndefined()
  for (const [type, data] of Object.entries(eventExamples))
    expect(eventMessage(type as PlatformEventType).safeParse({ type, timestamp: at, data }).error).toBeUndefined()
})

test('PRODUCT 4: events and the case of the KYC provider are described as messages with their signature', () => {
  expect(Object.keys(document.webhooks)).toEqual([...Object.keys(eventExamples), 'kyc.submitted'])
  for (const { post } of Object.values(document.webhooks))
    expect(post.parameters?.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
})

test('PRODUCT 4: each door asks for what opens it', () => {
  expect(find('PUT /api/platform/v1/members/{id}').security).toEqual([{ platformKey: [] }])
  expect(find('GET /api/users').security).toEqual([{ session: [] }])
  expect(find('GET /api/openapi.json').security).toEqual([{ session: [] }, { platformKey: [] }])
  expect(find('POST /api/auth/login').security).toEqual([])
  expect(find('POST /api/platform/v1/kyc-results').security).toEqual([{ standardWebhook: [] }, { payloadDigest: [] }])
})

test('PRODUCT 3.5: every refusal is an ErrorReply with each code and a message as an example', () => {
  for (const { name, operation } of operations)
    for (const [status, reply] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue
      const media = reply.content?.['application/json']
      expect(media?.schema, `${name} ${status}`).toEqual({ $ref: '#/components/schemas/ErrorReply' })
      expect(Object.keys(media?.examples ?? {}).length, `${name} ${status}`).toBeGreaterThan(0)
    }
  const { responses } = find('POST /api/users/{id}/ban')
  expect(Object.keys(responses[409]?.content?.['application/json']?.examples ?? {})).toEqual(['conflict', 'stale'])
})

test('PRODUCT 3.4: filters, defaults and limits stand as they are read, and nullable fields without lists of types', () => {
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

test('PRODUCT 3.22, 4: If-Match and Idempotency-Key are named where they are minded', () => {
  const takes = (header: string) =>
    operations
      .filter(({ operation }) => operation.parameters?.some(({ name }) => name === header))
      .map(({ name }) => name)
  expect(takes('Idempotency-Key')).toEqual(['POST /api/platform/v1/orders/{orderNumber}/complete'])
  expect(takes('If-Match')).toHaveLength(7)
})

test('the page holds every call, message and schema, its links lead somewhere, and no text becomes markup', () => {
  const page = readerPage(document, { stylesheets: ['/assets/x.css'] })
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const { operation } of operations) expect(ids).toContain(operation.operationId)
  for (const [, target] of page.matchAll(/ href="#([^"]+)"/g)) expect(ids).toContain(target)
  expect(page).not.toMatch(/undefined|\[object|style="|<script(?! src="\/theme\.js"><\/script>)/)
  const evil = structuredClone(document)
  evil.info.description = '<img src=x onerror=alert(1)>'
  expect(readerPage(evil, { stylesheets: [] })).not.toContain('<img')
  expect(signInPage({ stylesheets: [] })).toContain('href="/login"')
})
