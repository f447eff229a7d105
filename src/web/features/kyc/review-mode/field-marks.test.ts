import { expect, test } from 'vitest'
import { rejectionReasons } from '#contract/rejection-reasons.ts'
import { describeMarks, type MarkableField, replaceMarks } from './field-marks.ts'

const mark = (...fields: MarkableField[]) => new Set(fields)

test('marks are told by a ready reason where one fits, else in a sentence', () => {
  expect(describeMarks(mark())).toBe('')
  const ready = [mark('first name'), mark('last name', 'first name'), mark('date of birth')].map(describeMarks)
  expect(ready).toEqual([rejectionReasons[3], rejectionReasons[3], rejectionReasons[4]])
  expect(describeMarks(mark('nationality'))).toBe('The nationality differs from the document.')
  expect(describeMarks(mark('date of birth', 'last name'))).toBe(
    'The last name and the date of birth differ from the document.',
  )
})

test('a later mark changes the first sentence, and nothing that was typed', () => {
  const [one, two] = [mark('nationality'), mark('nationality', 'document type')]
  expect(replaceMarks('', mark(), one)).toBe('The nationality differs from the document. ')
  const typed = 'The nationality differs from the document. Send a passport.'
  expect(replaceMarks(typed, one, two)).toBe(
    'The nationality and the document type differ from the document. Send a passport.',
  )
  expect(replaceMarks(typed, one, mark())).toBe('Send a passport.')
  expect(replaceMarks('The nationality is French.', one, two)).toBe('The nationality is French.')
  expect(replaceMarks(rejectionReasons[4], mark(), mark('date of birth'))).toBe(rejectionReasons[4])
})
