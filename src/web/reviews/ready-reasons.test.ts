import { expect, test } from 'vitest'
import { readyReasons, toggleReason, dropSecondSpace } from './ready-reasons.ts'

const [first, second] = readyReasons.map(({ sentence }) => sentence)

test('a ready reason joins what was typed, and is taken away again by a second click', () => {
  const typed = 'Page 2 is cut off.'
  const both = toggleReason(toggleReason(typed, first!), second!)
  expect(both).toBe(`${typed} ${first} ${second} `)
  expect(toggleReason(both, first!)).toBe(`${typed} ${second} `)
  expect(toggleReason(toggleReason('  ', first!), first!)).toBe('')
})

test('a ready reason is followed by one space, whether the operator types it or not', () => {
  const picked = toggleReason('', first!)
  expect(dropSecondSpace(picked, `${picked}x`)).toBe(`${first} x`)
  expect(dropSecondSpace(picked, `${picked} `)).toBe(`${first} `)
  expect(dropSecondSpace(`${first} x `, `${first} x  `)).toBe(`${first} x  `)
})

test('every ready reason has a short name of its own', () => {
  expect(new Set(readyReasons.map(({ name }) => name)).size).toBe(readyReasons.length)
})
