import { expect, test } from 'vitest'
import { getInitial } from './initial.ts'
import { formatMachineWord, formatMachineName, describeStarter } from './words.ts'

test("the platform's machine words read as words, people's texts stay", () => {
  expect(
    ['passport', 'national_id_card', 'residence-permit', 'PT', 'Côte d’Ivoire', 'a__b', ''].map(formatMachineWord),
  ).toEqual(['Passport', 'National id card', 'Residence permit', 'PT', 'Côte d’Ivoire', 'a__b', ''])
})

test('machine names read as words', () => {
  expect(['sign_in_locked', 'kycStatus', 'membershipId', 'resolve_event', 'ipAddress'].map(formatMachineName)).toEqual([
    'Sign in locked',
    'KYC status',
    'Membership ID',
    'Resolve event',
    'IP address',
  ])
})

test('an initial is a capital only in scripts that write names with one', () => {
  expect(['ayşe', 'ólafur', 'Жанна', 'თამარ', 'سارة', '李明', '👩‍🚀 ', ''].map(getInitial)).toEqual([
    'A',
    'Ó',
    'Ж',
    'თ',
    'س',
    '李',
    '👩‍🚀',
    '?',
  ])
})

test('an attempt that an operator started names the operator', () => {
  expect(['queue', 'ada'].map(describeStarter)).toEqual(['automatic', 'by ada'])
})
