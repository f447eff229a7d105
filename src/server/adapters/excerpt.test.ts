import { expect, test } from 'vitest'
import { buildExcerpt } from './excerpt.ts'

test.each([
  ['a plain answer', '{"status":"accepted"}', '{"status":"accepted"}'],
  ['control characters', 'a\u0000b\u001b[31mc\r\nd\u202ee', 'a b [31mc d e'],
  ['an e-mail', 'for ana.lima+kyc@example.com now', 'for [redacted] now'],
  ['a bearer token', 'Authorization: Bearer abc.def-ghi', 'Authorization: [redacted]'],
  ['a named secret', '{"api_key":"k1","password": "p w"}', '{"api_key":"[redacted]","password": "[redacted]"}'],
  ['a webhook secret', 'use whsec_MfKQ9r8GKYqrTwjU', 'use [redacted]'],
  ['long hexadecimal', 'id 9f86d081884c7d659a2feaa0c55ad015', 'id [redacted]'],
  ['long base64', 'x aGVsbG8gd29ybGQgdGhpcyBpcyAx==', 'x [redacted]'],
  ['a long word', 'Donaudampfschifffahrtsgesellschaft', 'Donaudampfschifffahrtsgesellschaft'],
  ['an IBAN', 'to DE89 3704 0044 0532 0130 00 please', 'to [redacted] please'],
  ['an IBAN without blanks', 'to GB29NWBK60161331926819.', 'to [redacted].'],
  ['a phone number', 'call +351 912 345 678 or (030) 1234-5678', 'call [redacted] or ([redacted]'],
  ['short numbers', 'HTTP 500, code 12345', 'HTTP 500, code 12345'],
])('%s is shown as it may be', (_what, text, shown) => {
  expect(buildExcerpt(text)).toBe(shown)
})

test('what we sent of a person is not shown again', () => {
  expect(buildExcerpt('ANA LIMA of Limassol, "ana"', ['Ana', 'Lima', null])).toBe(
    '[redacted] [redacted] of Limassol, "[redacted]"',
  )
  expect(buildExcerpt('(a+b) is 李雷', ['a+b', '李雷'])).toBe('([redacted]) is [redacted]')
})

test('what we sent of a person is found however it is written', () => {
  const known = ['José', 'García', null]
  expect(buildExcerpt('{"name":"Jos\\u00e9 Garc\\u00EDa"}', known)).toBe('{"name":"[redacted] [redacted]"}')
  expect(buildExcerpt('José García'.normalize('NFD'), known)).toBe('[redacted] [redacted]')
  expect(buildExcerpt('姓名:王小明', ['小明', '王'])).toBe('姓名:[redacted][redacted]')
  // What is escaped is judged as what it stands for.
  expect(buildExcerpt('a\\u0000b \\ud83d ana\\u0040example.com')).toBe('a b [redacted]')
})

test('500 characters at most, whole ones, and nothing is null', () => {
  expect(buildExcerpt('')).toBeNull()
  expect(buildExcerpt(' \n\0')).toBeNull()
  expect(Array.from(buildExcerpt('😀'.repeat(600))!)).toHaveLength(500)
  // A secret that the cut went through is not shown in half.
  expect(buildExcerpt(`${'ab '.repeat(166)}${'k7'.repeat(40_000)}`)).toBe('ab '.repeat(166).trim())
})

test('only 2,000 characters of an answer are read, so that none is slow to read', () => {
  expect(buildExcerpt(`${' '.repeat(1995)} tail ${'x'.repeat(65_536)}`)).toBeNull()
  expect(buildExcerpt(`${' '.repeat(1990)} tail ${'x'.repeat(65_536)}`)).toBe('tail')
})
