import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseWholeKey } from '#contract/whole-key.ts'
import { cleanSearchText } from './search-text.ts'

const run = (property: fc.IProperty<[string]>) => fc.assert(property, { numRuns: 2000 })
const hidden = ['\u200B', '\u200E', '\u202E', '\u2066', '\uFEFF', '\u00AD']
const blanks = [' ', '\t', '\u00A0', '\u2003', '\r\n', '  ']

test.each([
  ['Lima,\tAna', 'Lima, Ana'],
  ['  Ana \u00A0 Lima ', 'Ana Lima'],
  ['Ana\u202ELima\u200B', 'AnaLima'],
  ['ana@example.com;', 'ana@example.com'],
  ['<ana@example.com>', 'ana@example.com'],
  ['"Ana Lima" <ana@example.com>,', 'ana@example.com'],
  ['mailto:ana@example.com?subject=Hello there', 'ana@example.com'],
  ['MAILTO: <ana@example.com>', 'ana@example.com'],
  ['“Ana Lima”', 'Ana Lima'],
  ["'Ana Lima'", 'Ana Lima'],
  ["O'Brien", "O'Brien"],
  ["D'", "D'"],
  ['.x', '.x'],
  ['100%_\\', '100%_\\'],
  ['', ''],
  [' \t', ''],
])('%j is looked for as %j', (given, tidied) => {
  expect(cleanSearchText(given)).toBe(tidied)
})

test('tidying what is tidy changes nothing', () => {
  run(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => cleanSearchText(cleanSearchText(text)) === cleanSearchText(text),
    ),
  )
})

test('no blanks and no hidden characters around or within make a difference', () => {
  const word = fc.stringMatching(/^[a-zà-ÿ0-9.%_@-]{1,12}$/)
  const between = fc.array(fc.constantFrom(...blanks), { minLength: 1, maxLength: 3 }).map((all) => all.join(''))
  const around = fc.array(fc.constantFrom(...blanks, ...hidden)).map((all) => all.join(''))
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 4 }),
      between,
      around,
      around,
      (words, gap, before, after) => {
        expect(cleanSearchText(`${before}${words.join(gap)}${after}`)).toBe(words.join(' '))
      },
    ),
  )
})

test('plain words stay as they are', () => {
  run(fc.property(fc.stringMatching(/^[\p{L}\p{N}%_.@-]{1,30}$/u), (text) => cleanSearchText(text) === text))
})

test('a hash or address is whole whatever its case and blanks are', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(40, 64),
      fc.infiniteStream(fc.constantFrom(...'0123456789abcdefABCDEF', ' ', '\n')),
      (length, stream) => {
        let [pasted, digits] = ['0x', '']
        for (const character of stream) {
          pasted += character
          if (/\S/.test(character)) digits += character
          if (digits.length === length) break
        }
        expect(parseWholeKey(pasted)).toBe(`0x${digits.toLowerCase()}`)
        expect(parseWholeKey(pasted.slice(0, -1))).toBeNull()
      },
    ),
  )
  expect(parseWholeKey('AB'.repeat(32))).toBe(`0x${'ab'.repeat(32)}`)
  expect(parseWholeKey('ab'.repeat(20))).toBeNull()
})
