import { sql } from 'drizzle-orm'
import { boolean, date, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { beforeEach, expect, test } from 'vitest'
import { startServer } from '#test/support/server.ts'
import { bytes, createdAt, decimal, identity, instant } from './columns.ts'
import { writableColumns, buildInsert, insertRows, KeyTakenError, updateRows, upsertRows } from './write.ts'

const server = await startServer()
const { database } = server.services

const samples = pgTable('samples', {
  id: identity(),
  key: text('the_key').notNull().unique(),
  amount: decimal('amount'),
  count: integer('count').notNull().default(7),
  isOn: boolean('is_on').notNull().default(true),
  at: instant('at'),
  day: date('day', { mode: 'string' }),
  facts: jsonb('facts'),
  words: text('words').array(),
  digest: bytes('digest'),
  createdAt: createdAt(),
  shout: text('shout').generatedAlwaysAs(sql`upper(the_key)`),
})
const columns = writableColumns(samples)

beforeEach(() =>
  server.sql(`DROP TABLE IF EXISTS samples; CREATE TABLE samples (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, the_key text NOT NULL UNIQUE, amount numeric,
    count integer NOT NULL DEFAULT 7, is_on boolean NOT NULL DEFAULT true, at timestamptz(3), day date, facts jsonb,
    words text[], digest bytea, created_at timestamptz(3) NOT NULL DEFAULT now(),
    shout text GENERATED ALWAYS AS (upper(the_key)) STORED)`),
)

const whole = {
  key: 'whole',
  amount: '123456789012345678901234567890.123456789012345678',
  count: 0,
  isOn: false,
  at: '2026-02-28T23:59:59.999Z',
  day: '2024-02-29',
  facts: { nested: [null, { a: 'é "quoted"' }], n: 1 },
  words: ['one', 'with, comma', '{brace}', ''],
  digest: Buffer.from([0, 255, 92, 10]),
  createdAt: '2020-01-01T00:00:00.001Z',
}
const stored = () => database.db.select(columns).from(samples).orderBy(samples.id)
const insert = (rows: Parameters<typeof insertRows<typeof columns>>[2]) =>
  database.transaction((tx) => insertRows(tx, columns, rows, ['key']))

test('a batch writes exact amounts, instants, days, JSON, lists and bytes', async () => {
  await insert([whole])
  expect(await stored()).toEqual([whole])
})

test('columns that the database generates take no value', () => {
  expect(Object.keys(columns)).toEqual(Object.keys(whole))
})

test('what is absent or null becomes the default, and null where there is none', async () => {
  await insert([
    { key: 'absent' },
    { key: 'null', amount: null, count: null, isOn: null, facts: null, createdAt: null },
  ])
  const nothing = { amount: null, at: null, day: null, facts: null, words: null, digest: null }
  const defaults = { count: 7, isOn: true, createdAt: expect.stringMatching(/^20\d\d-.*Z$/) as string }
  expect(await stored()).toEqual([
    { key: 'absent', ...nothing, ...defaults },
    { key: 'null', ...nothing, ...defaults },
  ])
})

test('rows are added in the order of a key', async () => {
  await insert([{ key: 'c' }, { key: 'a' }, { key: 'b' }])
  expect((await stored()).map(({ key }) => key)).toEqual(['a', 'b', 'c'])
})

test('a key that is taken loses the race, and nothing of the batch stands', async () => {
  await insert([{ key: 'taken' }])
  const lost = database.db.transaction((tx) => insertRows(tx, columns, [{ key: 'new' }, { key: 'taken' }], ['key']))
  await expect(lost).rejects.toThrow(KeyTakenError)
  expect(await stored()).toHaveLength(1)
})

test('an update sets the named columns of the named rows alone', async () => {
  await insert([whole, { ...whole, key: 'other' }])
  const { amount, at, words } = samples
  const row = { key: 'whole', amount: '0.10', at: null, words: [], count: 99 }
  await database.transaction((tx) => updateRows(tx, { key: samples.key }, { amount, at, words }, [row]))
  expect(await stored()).toEqual([
    { ...whole, key: 'other' },
    { ...whole, amount: '0.10', at: null, words: [] },
  ])
})

test('an upsert adds what is new and updates what is there', async () => {
  await insert([whole])
  const { amount, count, day } = samples
  const how = { by: ['key'], key: ['key'], update: { amount, count }, keep: { day } } as const
  const rows = [
    { ...whole, amount: null, count: 5, day: null, at: null },
    { key: 'new', day: '2026-01-01' },
  ]
  await database.transaction((tx) => upsertRows(tx, columns, rows, how))
  const [present, added] = await stored()
  expect(present).toEqual({ ...whole, amount: null, count: 5 })
  expect(added).toMatchObject({ key: 'new', count: 7, day: '2026-01-01' })
})

test('no rows make no statement', async () => {
  await database.transaction(async (tx) => {
    const refusing = { ...tx, execute: () => expect.fail('a statement was sent') } as unknown as typeof tx
    await insertRows(refusing, columns, [], ['key'])
    await updateRows(refusing, { key: samples.key }, { count: samples.count }, [])
    await upsertRows(refusing, columns, [], { by: ['key'], key: ['key'], update: { count: samples.count } })
  })
})

test('columns of two tables are refused', () => {
  const others = pgTable('others', { name: text('name') })
  expect(() => buildInsert({ key: samples.key, name: others.name }, [{ key: 'a' }], ['key'])).toThrow('one table')
})
