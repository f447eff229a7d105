import { expect } from 'vitest'
import type { Change } from './crash-test.ts'
import { platformBase } from './platform-calls.ts'
import { platformKey } from './server.ts'

/** The change, its caller, and the proof. */
export type NamedChange = [what: string, by: string, prove: () => Promise<void>]

interface CrashTools {
  crashAtEachStatement: <Fixture>(change: Change<Fixture>) => Promise<void>
  makeStatementFile: () => Promise<{ id: string; account: string; file: Buffer }>
  makeLineAndOrder: () => Promise<{ lineId: string; orderId: string }>
  makePayment: () => Promise<string>
  makeDividedLine: () => Promise<{ lineId: string; allocationIds: string[] }>
  makeRefundAndDebit: () => Promise<{ creditId: string; debitId: string }>
  makeReversal: () => Promise<string>
  makeReturnedTransfer: () => Promise<{ lineId: string; transferId: string }>
  makeReturn: () => Promise<string>
  claimLineFor: (id: string) => Promise<unknown>
  makeExactLines: () => Promise<{ id: string; version: number }[]>
  makePolicy: () => Promise<object>
  makeImports: () => Promise<string[]>
  rowId: (text: string, values?: unknown[]) => Promise<string>
  cookie: string
}

/** The changes of bank accounts and statements, to be killed at each statement. */
export function createBankChanges({
  crashAtEachStatement,
  makeStatementFile,
  makeLineAndOrder,
  makePayment,
  makeDividedLine,
  makeRefundAndDebit,
  makeReversal,
  makeReturnedTransfer,
  makeReturn,
  claimLineFor,
  makeExactLines,
  makePolicy,
  makeImports,
  rowId,
  cookie,
}: CrashTools): NamedChange[] {
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)
  const url = '/api/bank/imports?fileName=a.sta'
  const headers = { cookie, 'content-type': 'text/plain' }
  let accounts = 0
  return [
    [
      'a new bank account',
      'POST /api/bank/accounts',
      change({
        make: async () => String(3_000_000 + accounts++),
        act: ({ call }, account) => call('POST', '/api/bank/accounts', { name: 'Giro', account, currency: 'EUR' }),
        statusAgain: 409,
      }),
    ],
    [
      'a change of a bank account',
      'PATCH /api/bank/accounts/:id',
      change({
        make: makeStatementFile,
        act: ({ call }, { id }) => call('PATCH', `/api/bank/accounts/${id}`, { name: 'Savings' }),
      }),
    ],
    [
      'the import of a statement file',
      'POST /api/bank/imports',
      change({
        make: makeStatementFile,
        act: ({ app }, { file }) => app.inject({ method: 'POST', url, payload: file, headers }),
        statusAgain: 409,
      }),
    ],
    [
      'a statement file that the platform brings',
      'POST /api/platform/v1/bank-statements',
      change({
        make: makeStatementFile,
        act: ({ app }, { file, account }) =>
          app.inject({
            method: 'POST',
            url: `${platformBase}/bank-statements?fileName=a.sta`,
            payload: file,
            headers: {
              authorization: `Bearer ${platformKey}`,
              'content-type': 'text/plain',
              'idempotency-key': account,
            },
          }),
      }),
    ],
    [
      'an import that is undone',
      'POST /api/bank/imports/:id/undo',
      change({
        make: async () => (await makeImports())[1]!,
        act: ({ call }, id) => call('POST', `/api/bank/imports/${id}/undo`, { reason: 'Wrong account' }),
        statusAgain: 409,
      }),
    ],
    [
      'rows of a file that could not be read and are accepted',
      'POST /api/bank/imports/:id/accept-unreadable',
      change({
        make: async () => {
          const [imported] = await makeImports()
          return rowId('UPDATE bank_imports SET unreadable_count = 1 WHERE id = $1 RETURNING id::text', [imported])
        },
        act: ({ call }, id) => call('POST', `/api/bank/imports/${id}/accept-unreadable`, { reason: 'A total' }),
        statusAgain: 409,
      }),
    ],
    [
      'a gap between statements that is accepted',
      'POST /api/bank/statements/:id/accept-gap',
      change({
        make: async () => {
          const [, , gap] = await makeImports()
          return rowId('SELECT id::text FROM bank_statements WHERE import_id = $1', [gap])
        },
        act: ({ call }, id) => call('POST', `/api/bank/statements/${id}/accept-gap`, { reason: 'Never written' }),
        statusAgain: 409,
      }),
    ],
    [
      'a difference within a statement that is accepted',
      'POST /api/bank/statements/:id/accept-difference',
      change({
        make: async () => {
          const [imported] = await makeImports()
          return rowId('UPDATE bank_statements SET closing = closing + 1 WHERE import_id = $1 RETURNING id::text', [
            imported,
          ])
        },
        act: ({ call }, id) =>
          call('POST', `/api/bank/statements/${id}/accept-difference`, { reason: 'The bank says so' }),
        statusAgain: 409,
      }),
    ],
    [
      'a payment that is applied to its order',
      'POST /api/bank/lines/:id/allocations',
      change({
        make: makeLineAndOrder,
        act: ({ call }, { lineId, orderId }) =>
          call('POST', `/api/bank/lines/${lineId}/allocations`, {
            allocations: [
              { purpose: 'order', orderId, amount: '100.00' },
              { purpose: 'refund', orderId, amount: '20.00', cause: 'overpaid' },
            ],
          }),
        statusAgain: 409,
      }),
    ],
    [
      'a payment that is undone',
      'POST /api/bank/allocations/:id/undo',
      change({
        make: makePayment,
        act: ({ call }, id) => call('POST', `/api/bank/allocations/${id}/undo`, { reason: 'Wrong order' }),
        statusAgain: 409,
      }),
    ],
    [
      'a payment of which several parts are undone',
      'POST /api/bank/lines/:id/undo',
      change({
        make: makeDividedLine,
        act: ({ call }, { lineId, allocationIds }) =>
          call('POST', `/api/bank/lines/${lineId}/undo`, { allocationIds, reason: 'Wrong order' }),
        statusAgain: 409,
      }),
    ],
    [
      'a transfer that pays a refund back, closes its rest and has a fee',
      'POST /api/bank/lines/:id/allocations',
      change({
        make: makeRefundAndDebit,
        act: ({ call }, { creditId, debitId }) =>
          call('POST', `/api/bank/lines/${debitId}/allocations`, {
            allocations: [
              { purpose: 'refund', lineId: creditId, amount: '98.50', closeAs: 'fee' },
              { purpose: 'ignored', amount: '1.50', code: 'fee' },
            ],
          }),
        statusAgain: 409,
      }),
    ],
    [
      'a reversal that is undone and pays its order again',
      'POST /api/bank/allocations/:id/undo',
      change({
        make: makeReversal,
        act: ({ call }, id) => call('POST', `/api/bank/allocations/${id}/undo`, { reason: 'Not a return' }),
        statusAgain: 409,
      }),
    ],
    [
      'a refund that comes back less a charge, and is due again',
      'POST /api/bank/lines/:id/allocations',
      change({
        make: makeReturnedTransfer,
        act: ({ call }, { lineId, transferId }) =>
          call('POST', `/api/bank/lines/${lineId}/allocations`, {
            allocations: [{ purpose: 'return', lineId: transferId, amount: '92.50' }],
          }),
        statusAgain: 409,
      }),
    ],
    [
      'a returned transfer that is undone and counts as paid back again',
      'POST /api/bank/allocations/:id/undo',
      change({
        make: makeReturn,
        act: ({ call }, id) => call('POST', `/api/bank/allocations/${id}/undo`, { reason: 'Another transfer' }),
        statusAgain: 409,
      }),
    ],
    [
      'the claim of a bank line, which lets go of the one before',
      'POST /api/bank/lines/:id/claim',
      change({
        make: async () => {
          await claimLineFor((await makeLineAndOrder()).lineId)
          return makeLineAndOrder()
        },
        act: ({ call }, { lineId }) => call('POST', `/api/bank/lines/${lineId}/claim`),
      }),
    ],
    [
      'the release of a bank line',
      'DELETE /api/bank/lines/:id/claim',
      change({
        make: async () => {
          const made = await makeLineAndOrder()
          await claimLineFor(made.lineId)
          return made
        },
        act: ({ call }, { lineId }) => call('DELETE', `/api/bank/lines/${lineId}/claim`),
      }),
    ],
    [
      'each of the lines that are applied together',
      'POST /api/bank/apply-exact',
      change({
        make: makeExactLines,
        act: ({ call }, lines) => call('POST', '/api/bank/apply-exact', { lines }),
        // The two lines are alike, so the first one whole is half of the change.
        checkBetween: (found, _lines, whole) => expect([...found, ...found].toSorted()).toEqual(whole),
      }),
    ],
    [
      'a change of the policy',
      'PUT /api/bank/policy',
      change({ make: makePolicy, act: ({ call }, policy) => call('PUT', '/api/bank/policy', policy) }),
    ],
  ]
}
