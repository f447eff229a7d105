import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasDuplicateName } from './json.ts'

const isDuplicated = (text: string) => hasDuplicateName(text, JSON.parse(text))

test.each([
  '{"a":1,"a":1}',
  '{"a":1,"\\u0061":2}',
  '{"a":{"b":1,"b":2}}',
  '[{"a":1},{"a":1,"a" : 2}]',
  '{"":1,"":2}',
  '{"1":1,"1":2}',
  '{"__proto__":1,"__proto__":2}',
])('%s gives a name twice', (text) => expect(isDuplicated(text)).toBe(true))

test.each([
  '{}',
  '"a:"',
  '["a","a"]',
  '{"a":"\\"a\\":1","b":"x:y"}',
  '{"a":"{\\"a\\":1}","b":[{"a":1},{"a":2}]}',
  'null',
])('%s gives no name twice', (text) => expect(isDuplicated(text)).toBe(false))

test('no JSON that is written from a value gives a name twice', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      expect(isDuplicated(JSON.stringify(value, null, indent))).toBe(false)
    }),
  )
})

test('a text of any depth and width is counted', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  expect(isDuplicated(`{"a":${deep},"a":1}`)).toBe(true)
  expect(isDuplicated(`{"a":${deep},"b":[${'1,'.repeat(300_000)}1]}`)).toBe(false)
})
