import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { mod97 } from '#contract/iban.ts'

/** An IBAN with right check digits. The demo's bank codes are all nines, which no bank has. */
export function makeIban(country: 'DE' | 'GB', bban: string): string {
  return `${country}${String(98 - mod97(`${bban}${country}00`)).padStart(2, '0')}${bban}`
}

/** "DE12 9999 …", as people read it. */
const groupIban = (iban: string) => iban.replaceAll(/(.{4})(?=.)/g, '$1 ')

const euroIban = makeIban('DE', '999999990532013000')
const poundIban = makeIban('GB', 'HMIL99999931926819')

/** Whose accounts they are. */
export const accountOwner = 'Meridian Invest SA'

/** How First Prairie Trust writes CSV. */
const dollarProfile: CsvProfile = {
  encoding: 'utf-8',
  delimiter: ',',
  headerRow: 0,
  columns: { bookedOn: 0, name: 1, remittance: 2, credit: 3, debit: 4, balance: 5, currency: 6 },
  decimalSign: '.',
  dateOrder: 'dmy',
  headings: ['Date', 'Name', 'Reference', 'Paid in', 'Paid out', 'Balance', 'Currency'],
}

/** The bank accounts of the demo platform, at fictional banks. */
export const demoAccounts = {
  EUR: { name: 'Meridian clients EUR', account: euroIban, currency: 'EUR', csvProfile: null },
  GBP: { name: 'Harbour & Mills GBP', account: poundIban, currency: 'GBP', csvProfile: null },
  USD: { name: 'First Prairie USD', account: '000123456789', currency: 'USD', csvProfile: dollarProfile },
} as const
export type DemoCurrency = keyof typeof demoAccounts

/** Where an order's member pays to. */
export const paymentAccounts = {
  EUR: { bankName: 'Meridian Treuhandbank', accountNumber: '0532013000', iban: groupIban(euroIban), swift: 'MERIDEX0' },
  GBP: { bankName: 'Harbour & Mills Bank', accountNumber: '31926819', iban: groupIban(poundIban), swift: 'HMILGBX0' },
  USD: { bankName: 'First Prairie Trust', accountNumber: demoAccounts.USD.account, iban: '', swift: 'FPTRUSX0' },
} as const
