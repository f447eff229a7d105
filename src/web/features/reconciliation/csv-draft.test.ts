import { expect, test } from 'vitest'
import type { CsvProfileNeeded } from '#contract/schemas/csv-profile.ts'
import { assignColumn, startDraft, takeGuess } from './csv-draft.ts'

const needed: CsvProfileNeeded = {
  profile: {
    encoding: 'utf-8',
    delimiter: ';',
    headerRow: 0,
    columns: { bookedOn: 0, amount: 1 },
    decimalSign: ',',
    dateOrder: 'dmy',
  },
  questions: ['dateOrder'],
  unsure: [{ column: 3, meanings: ['iban', 'ownAccount'] }],
  headings: ['Tag', 'Betrag', 'Text', 'Konto'],
  preview: [],
}
const guess = {
  columns: { bookedOn: 1, amount: 2, name: 0 },
  decimalSign: '.' as const,
  dateOrder: 'ymd' as const,
  unsure: [],
}

test('a guess for another layout takes the place of the first one (product 5.13)', () => {
  const draft = takeGuess(startDraft(needed), guess, 4)
  expect(draft).toMatchObject({ columns: guess.columns, undecided: [], decimalSign: '.', dateOrder: 'ymd' })
})

test('what was chosen by hand stays where it still names a column (product 5.13)', () => {
  const started = startDraft(needed)
  const first = { ...started, ...assignColumn(started, 2, 'remittance') }
  const chosen = { ...first, ...assignColumn(first, 5, 'name'), decimalSign: ',' as const }
  const byHand = { ...chosen.byHand, decimalSign: true }
  const draft = takeGuess({ ...chosen, byHand }, guess, 4)
  expect(draft.columns).toEqual({ bookedOn: 1, remittance: 2, name: 0 })
  expect([draft.decimalSign, draft.byHand.columns]).toEqual([',', { 2: 'remittance' }])
})

test('a column that was left out by hand stays left out (product 5.13)', () => {
  const started = startDraft(needed)
  const draft = takeGuess({ ...started, ...assignColumn(started, 0, '') }, guess, 4)
  expect(draft.columns).toEqual({ bookedOn: 1, amount: 2 })
})
