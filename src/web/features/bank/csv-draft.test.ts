import { expect, test } from 'vitest'
import type { CsvProfileNeeded } from '#contract/schemas/csv-profile.ts'
import { assignColumn, buildProfile, findOpenQuestions, startDraft, takeGuess } from './csv-draft.ts'

const column = (words: string[] = [], hasSign = false) => ({ words, hasSign })

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
  values: [column(), column([], true), column(), column()],
  preview: [],
}
const guess: CsvProfileNeeded = {
  ...needed,
  profile: { ...needed.profile, columns: { bookedOn: 1, amount: 2, name: 0 }, decimalSign: '.', dateOrder: 'ymd' },
  questions: [],
  unsure: [],
}

test('a guess for another layout takes the place of the first one (product 5.13)', () => {
  const draft = takeGuess(startDraft(needed), guess)
  const { columns } = guess.profile
  expect(draft).toMatchObject({ columns, undecided: [], decimalSign: '.', dateOrder: 'ymd' })
})

test('what was chosen by hand stays where it still names a column (product 5.13)', () => {
  const started = startDraft(needed)
  const first = { ...started, ...assignColumn(started, 2, 'remittance') }
  const chosen = { ...first, ...assignColumn(first, 5, 'name'), decimalSign: ',' as const }
  const byHand = { ...chosen.byHand, decimalSign: true }
  const draft = takeGuess({ ...chosen, byHand }, guess)
  expect(draft.columns).toEqual({ bookedOn: 1, remittance: 2, name: 0 })
  expect([draft.decimalSign, draft.byHand.columns]).toEqual([',', { 2: 'remittance' }])
})

test('a column that was left out by hand stays left out (product 5.13)', () => {
  const started = startDraft(needed)
  const draft = takeGuess({ ...started, ...assignColumn(started, 0, '') }, guess)
  expect(draft.columns).toEqual({ bookedOn: 1, amount: 2 })
})

test('amounts without a sign are a question until a column says which way they went', () => {
  const unsigned = { ...guess, values: [column(['Ab', 'Auf']), column(), column(), column()] }
  const draft = startDraft(unsigned)
  expect(findOpenQuestions(draft, unsigned.values)).toContain('signs')
  const asMoneyIn = { ...draft, ...assignColumn(draft, 2, 'credit') }
  expect(findOpenQuestions(asMoneyIn, unsigned.values)).not.toContain('signs')
  const signed = { ...draft, ...assignColumn(draft, 0, 'sign') }
  expect(findOpenQuestions(signed, unsigned.values)).toContain('signs')
  const words = { ...signed.words, sign: { Ab: 'out', Auf: 'in' } as const }
  expect(buildProfile({ ...signed, words }, unsigned)?.signs).toEqual({ out: ['Ab'], in: ['Auf'] })
})

test('a column of states needs each of its words explained', () => {
  const values = [column(), column(), column([], true), column(['Fertig', 'Offen'])]
  const draft = startDraft(guess)
  const stated = { ...draft, ...assignColumn(draft, 3, 'state') }
  const half = { ...stated, words: { ...stated.words, state: { Fertig: 'booked' } as const } }
  expect(buildProfile(half, { ...guess, values })).toBeNull()
  const whole = { ...stated, words: { ...stated.words, state: { Fertig: 'booked', Offen: 'other' } as const } }
  expect(buildProfile(whole, { ...guess, values })?.states).toEqual({ booked: ['Fertig'], other: ['Offen'] })
})
