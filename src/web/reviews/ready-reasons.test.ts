import { expect, test } from 'vitest'
import { missingReasons } from '#contract/rejection-reasons.ts'
import { dropSecondSpace, listReadyReasons, readyReasons, toggleReason } from './ready-reasons.ts'

const [first, second] = readyReasons.map(({ sentence }) => sentence)

test('a ready reason joins what was typed, and is taken away again by a second click', () => {
  const typed = 'Page 2 is cut off.'
  const both = toggleReason(toggleReason(typed, first!), second!)
  expect(both).toBe(`${typed} ${first} ${second} `)
  expect(toggleReason(both, first!)).toBe(`${typed} ${second} `)
  expect(toggleReason(toggleReason('  ', first!), first!)).toBe('')
  expect(toggleReason(`See  page 2. ${first} Thank  you.`, first!)).toBe('See  page 2. Thank  you.')
})

test('a ready reason is followed by one space, whether the operator types it or not', () => {
  const picked = toggleReason('', first!)
  expect(dropSecondSpace(picked, `${picked}x`)).toBe(`${first} x`)
  expect(dropSecondSpace(picked, `${picked} `)).toBe(`${first} `)
  expect(dropSecondSpace(`${first} x `, `${first} x  `)).toBe(`${first} x  `)
})

test('the reasons for what is missing come first, and the others keep their keys', () => {
  expect(listReadyReasons([])).toEqual(readyReasons)
  const offered = listReadyReasons(['personal_data', 'document_type', 'front', 'selfie'])
  expect(offered.map(({ name, digit }) => `${name} ${digit}`).slice(0, 4)).toEqual([
    'Data missing 8',
    'Document missing 9',
    'Selfie missing 0',
    'Not readable 1',
  ])
  expect(toggleReason('', missingReasons.selfie)).toBe(`${missingReasons.selfie} `)
})

test('every ready reason has a short name of its own', () => {
  const offered = listReadyReasons(['personal_data', 'document_type', 'back', 'selfie'])
  expect(new Set(offered.map(({ name }) => name)).size).toBe(offered.length)
})
