import { expect, test } from 'vitest'
import { splitAtMatch } from './match-text.ts'

test.each([
  ['Ana Lima', 'lim', ['Ana ', 'Lim', 'a']],
  ['José García', 'JOSE G', ['', 'José G', 'arcía']],
  ['Jose\u0301 X', 'jose', ['', 'Jose\u0301', ' X']],
  ['Łukasz Żółw', 'zolw', ['Łukasz ', 'Żółw', '']],
  ['Ѓорѓи', 'ргл', ['Ѓорѓи', '', '']],
  ['Ægir', 'aeg', ['', 'Æg', 'ir']],
  ['Jean\u2011Luc', 'jean-l', ['', 'Jean\u2011L', 'uc']],
  ['office', 'OFF', ['', 'off', 'ice']],
  ['😀 Ana', ' ana ', ['😀 ', 'Ana', '']],
  ['Ana', '', ['Ana', '', '']],
])('in %s the match of %s is emphasised as it is written (product 4.4)', (text, typed, parts) => {
  expect(splitAtMatch(text, typed)).toEqual(parts)
})

test('a letter that folds to several is emphasised whole', () => {
  expect(splitAtMatch('ﬁne', 'i')).toEqual(['', 'ﬁ', 'ne'])
})
