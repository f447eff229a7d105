import { expect, test } from 'vitest'
import { asWords, nameInWords } from './words.ts'

test('machine words of the platform read as words, and what people wrote stays as it is', () => {
  expect(['passport', 'national_id_card', 'residence-permit', 'PT', 'Côte d’Ivoire', 'a__b', ''].map(asWords)).toEqual([
    'Passport',
    'National id card',
    'Residence permit',
    'PT',
    'Côte d’Ivoire',
    'a__b',
    '',
  ])
})

test('machine names read as words', () => {
  expect(['sign_in_locked', 'kycStatus', 'membershipId', 'resolve_event', 'ipAddress'].map(nameInWords)).toEqual([
    'Sign in locked',
    'KYC status',
    'Membership ID',
    'Resolve event',
    'IP address',
  ])
})
