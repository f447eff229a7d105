import { expect, test } from 'vitest'
import { nameAccounts } from './account-names.ts'

const make = (id: string, name: string, account: string, currency = 'EUR') => ({ id, name, account, currency })

test('accounts of one name are told apart by the end of their number', () => {
  const accounts = [make('1', 'Giro', 'DE1113000'), make('2', 'giro', 'DE2224711'), make('3', 'Savings', 'DE3')]
  expect([...nameAccounts(accounts)]).toEqual([
    ['1', 'Giro · 3000'],
    ['2', 'giro · 4711'],
    ['3', 'Savings'],
  ])
})

test('accounts of one name and number are told apart by their currency', () => {
  const accounts = [make('1', 'Giro', 'DE13000', 'EUR'), make('2', 'Giro', 'DE13000', 'USD')]
  expect([...nameAccounts(accounts).values()]).toEqual(['Giro · 3000 EUR', 'Giro · 3000 USD'])
})
