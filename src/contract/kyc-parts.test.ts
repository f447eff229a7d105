import { expect, test } from 'vitest'
import { listMissingParts, type MissingPart, type SentParts } from './kyc-parts.ts'

const whole: SentParts = { personalData: true, documentType: 'id_card', front: true, back: true, selfie: true }
const noDocument = { documentType: null, front: false, back: false }

const table: [about: string, sent: SentParts | null, missing: MissingPart[]][] = [
  ['a whole card', whole, []],
  ['a card without its back', { ...whole, back: false }, ['back']],
  ['a card without its back and a selfie', { ...whole, back: false, selfie: false }, ['back', 'selfie']],
  ['a passport', { ...whole, documentType: 'passport', back: false }, []],
  ['a passport without a selfie', { ...whole, documentType: 'Passport', back: false, selfie: false }, ['selfie']],
  ['no personal data', { ...whole, personalData: false }, ['personal_data']],
  ['no document', { ...whole, ...noDocument }, ['document_type', 'front']],
  [
    'an attempt without any step',
    { ...whole, ...noDocument, personalData: false, selfie: false },
    ['personal_data', 'document_type', 'front', 'selfie'],
  ],
  ['no attempt', null, ['attempt']],
]

test.each(table)('%s: what is missing is named', (_, sent, missing) => {
  expect(listMissingParts(sent)).toEqual(missing)
})

test('a passport has no back, however the platform names it', () => {
  for (const documentType of ['PASSPORT', 'pasaporte', 'passeport', 'Passaporto', 'paspoort', 'paszport', 'Reisepass'])
    expect(listMissingParts({ ...whole, documentType, back: false }), documentType).toEqual([])
})

test('every other type of document has a back', () => {
  for (const documentType of [
    'National identity card',
    'Driving licence',
    'residence_permit',
    'Personalausweis',
    'DNI',
  ])
    expect(listMissingParts({ ...whole, documentType, back: false }), documentType).toEqual(['back'])
})
