import { expect, test } from 'vitest'
import { describeUnseen } from './unseen-documents.ts'

const documents = ['Identity front', 'Identity back', 'Selfie'].map((label) => ({ label, hotkey: 'F', path: label }))

test('what has not been on screen is named, and nothing is said once all has', () => {
  expect(describeUnseen(documents, new Set())).toEqual(['No document has been on screen.'])
  expect(describeUnseen(documents, new Set(['Identity front']))).toEqual([
    'Identity back and Selfie have not been on screen.',
  ])
  expect(describeUnseen(documents, new Set(['Identity front', 'Selfie']))).toEqual([
    'Identity back has not been on screen.',
  ])
  expect(describeUnseen(documents, new Set(documents.map(({ path }) => path)))).toEqual([])
})

test('what is missing cannot be on screen', () => {
  const lacking = documents.map((each) => ({ ...each, path: each.label === 'Selfie' ? null : each.path }))
  expect(describeUnseen(lacking, new Set(['Identity front', 'Identity back']))).toEqual([])
  expect(describeUnseen([{ label: 'Selfie', hotkey: 'S', path: null }], new Set())).toEqual([])
})
