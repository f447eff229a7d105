import { expect, test } from 'vitest'
import { describeUnseen } from './unseen-documents.ts'

const documents = ['Identity front', 'Identity back', 'Selfie'].map((label) => ({ label, hotkey: 'F', path: label }))

test('what has not been on screen is named, and nothing is said once all has', () => {
  expect(describeUnseen([], new Set())).toBe('This attempt has no documents.')
  expect(describeUnseen(documents, new Set())).toBe('No document has been on screen.')
  expect(describeUnseen(documents, new Set(['Identity front']))).toBe(
    'Identity back and Selfie have not been on screen.',
  )
  expect(describeUnseen(documents, new Set(['Identity front', 'Selfie']))).toBe('Identity back has not been on screen.')
  expect(describeUnseen(documents, new Set(documents.map(({ path }) => path)))).toBeNull()
})
