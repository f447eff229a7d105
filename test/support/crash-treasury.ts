import type { NamedChange } from './crash-bank.ts'
import type { Change } from './crash-test.ts'
import { newAddress } from './make.ts'

interface CrashTools {
  crashAtEachStatement: <Fixture>(change: Change<Fixture>) => Promise<void>
  makeTreasuryWallet: () => Promise<string>
  makeUnreadToken: () => Promise<unknown>
}

/** The changes of the treasury, to be killed at each statement. */
export function createTreasuryChanges({
  crashAtEachStatement,
  makeTreasuryWallet,
  makeUnreadToken,
}: CrashTools): NamedChange[] {
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)
  return [
    [
      'a reading of the treasury',
      'POST /api/chain/treasury/readings',
      change({ make: makeUnreadToken, act: ({ call }) => call('POST', '/api/chain/treasury/readings') }),
    ],
    [
      'a new own wallet',
      'POST /api/chain/treasury/wallets',
      change({
        make: async () => newAddress(),
        act: ({ call }, address) => call('POST', '/api/chain/treasury/wallets', { address, label: 'Payouts' }),
        statusAgain: 409,
      }),
    ],
    [
      'a new label of an own wallet',
      'PATCH /api/chain/treasury/wallets/:id',
      change({
        make: makeTreasuryWallet,
        act: ({ call }, id) => call('PATCH', `/api/chain/treasury/wallets/${id}`, { label: 'Savings' }),
      }),
    ],
    [
      'the removal of an own wallet',
      'DELETE /api/chain/treasury/wallets/:id',
      change({
        make: makeTreasuryWallet,
        act: ({ call }, id) => call('DELETE', `/api/chain/treasury/wallets/${id}`),
        statusAgain: 404,
      }),
    ],
  ]
}
