import { expect, test } from 'vitest'
import { formatCsv } from './csv.ts'

test('a file has a byte order mark, CRLF and rows of one width (RFC 4180) (RFC 4180)', () => {
  expect(formatCsv([['a'], ['b', 2, null]])).toBe('\uFEFFa,,\r\nb,2,\r\n')
})

test('commas, quotes and line breaks are quoted (RFC 4180)', () => {
  expect(formatCsv([['a,b', 'say "x"', 'two\nlines', 'José 王']])).toBe(
    '\uFEFF"a,b","say ""x""","two\nlines",José 王\r\n',
  )
})

test('text that a spreadsheet would run as a formula is neutralized', () => {
  const texts = ['=1+1', '+1', '-1', '@sum', '\tx', '\rx', '\nx', '＝1']
  expect(formatCsv([texts])).toBe(`\uFEFF'=1+1,'+1,'-1,'@sum,'\tx,"'\rx","'\nx",'＝1\r\n`)
})

test('a formula is neutralized wherever another separator or line break begins a cell', () => {
  const texts = ['x;=cmd|1', 'x; +1', 'x\t@sum', 'x\n-1', 'x\r\n\t=1', 'x;"=1"', 'a;b', 'a - b;c', '2026-11-20']
  expect(formatCsv([texts])).toBe(
    `\uFEFFx;'=cmd|1,x; '+1,x\t'@sum,"x\n'-1","x\r\n\t'=1","x;""'=1""",a;b,a - b;c,2026-11-20\r\n`,
  )
})

test('a long run of separators in a text is read once', () => {
  const run = '\t;'.repeat(100_000)
  expect(formatCsv([[`x${run}y`, `x${run}=1`]])).toBe(`\uFEFFx${run}y,x${run}'=1\r\n`)
})

test('characters that turn text around are left out, before a formula is looked for', () => {
  expect(formatCsv([['Ana\u202Egpj', '\u200E=1', '\u2067مريم\u2069']])).toBe(`\uFEFFAnagpj,'=1,مريم\r\n`)
})

test('numbers and decimals stay numbers, negative ones too', () => {
  expect(formatCsv([[-5, { decimal: '-12.500000000000000001' }, 0]])).toBe('\uFEFF-5,-12.500000000000000001,0\r\n')
})
