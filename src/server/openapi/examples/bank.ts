import { lineAges } from '#contract/bank.ts'
import type { BankAccount, BankImport, BankLine, BankStatement, ImportedStatement } from '#contract/schemas/bank.ts'
import type { ExamplesOf } from './example-types.ts'
import { at, orderNumber, page } from './samples.ts'

const nothing = { count: 0, credits: '0.00', debits: '0.00' }
const account: BankAccount = {
  id: '2',
  name: 'Giro',
  account: 'DE89370400440532013000',
  currency: 'EUR',
  csvProfile: null,
  isActive: true,
  version: 1,
  lines: 1,
  booked: { count: 1, credits: '1500.00', debits: '0.00' },
  open: { count: 1, credits: '1500.00', debits: '0.00' },
  work: { total: 1, exact: 1, check: 0, unmatched: 0 },
  credits: {
    applied: '0.00',
    refund: '0.00',
    paidBack: '0.00',
    reversal: '0.00',
    returned: '0.00',
    ignored: '0.00',
    open: '1500.00',
  },
  ageing: lineAges.map((age) =>
    age === '0-2' ? { age, count: 1, credits: '1500.00', debits: '0.00' } : { age, ...nothing },
  ),
  purposes: [],
  problems: { differences: { count: 0, oldest: null }, gaps: { count: 0, oldest: null } },
  proof: {
    opening: '100.00',
    openingOn: '2026-01-05',
    credits: '1500.00',
    debits: '0.00',
    accepted: '0.00',
    closing: '1600.00',
    closingOn: '2026-01-05',
    difference: '0.00',
  },
  unreadable: null,
  latest: {
    number: '4',
    kind: 'camt.053',
    opening: '100.00',
    credits: '1500.00',
    debits: '0.00',
    closing: '1600.00',
    closingOn: '2026-01-05',
    difference: '0.00',
    importedBy: 'admin',
    importedAt: at,
  },
}

const imported: BankImport = {
  id: '9',
  fileName: '2026-01-05.xml',
  format: 'camt',
  size: 48_210,
  importedBy: 'ada',
  importedAt: at,
  linesNew: 1,
  linesKnown: 0,
  unreadableCount: 0,
  unreadable: [],
  acceptedUnreadable: null,
  undone: null,
}

const ofImport: ImportedStatement = {
  id: '12',
  accountId: account.id,
  accountName: account.name,
  account: account.account,
  currency: 'EUR',
  kind: 'camt.053',
  number: '4',
  opening: '100.00',
  openingOn: '2026-01-05',
  credits: '1500.00',
  debits: '0.00',
  closing: '1600.00',
  closingOn: '2026-01-05',
  difference: '0.00',
  linesNew: 1,
  linesKnown: 0,
}
const statement: BankStatement = {
  ...ofImport,
  importId: '9',
  fileName: imported.fileName,
  importedBy: 'ada',
  importedAt: at,
  isGap: false,
  jump: null,
  contradiction: null,
  acceptedGap: null,
  acceptedDifference: null,
}

export const line: BankLine = {
  id: '31',
  accountId: account.id,
  accountName: account.name,
  statementId: statement.id ?? '',
  statementNumber: '4',
  place: 'line 812',
  bookedOn: '2026-01-05',
  valueOn: '2026-01-05',
  direction: 'credit',
  amount: '1500.00',
  currency: 'EUR',
  isReversal: false,
  booking: 'booked',
  state: 'open',
  allocated: '0.00',
  payer: { name: 'Ana Lima', account: 'PT50000201231234567890154' },
  claims: { ultimate: null, name: null, account: null },
  references: [{ kind: 'endToEnd', reference: orderNumber }],
  remittance: [`Investment ${orderNumber}`],
  info: [],
  returnReason: null,
  instructed: null,
  charges: [],
  importedAt: at,
  suggestion: 'exact',
  outcome: 'exact',
  flags: [],
  proposedOrders: [orderNumber],
  refundsDue: [],
  version: 1,
}

const params = { id: account.id }

/** A file as it is sent, and what its import answers. */
export const importExample = {
  query: { fileName: imported.fileName },
  rawBody: ':20:X\n:25:DE89370400440532013000\n:60F:C260105EUR100,00\n:61:260105C1500,00NTRF\n:62F:C260105EUR1600,00',
  reply: { import: imported, statements: [ofImport], warnings: [], unreadable: [], knownLines: [] },
}

export const bank: ExamplesOf<'bank'> = {
  accounts: { reply: { accounts: [account] } },
  createAccount: {
    body: { name: 'Giro', account: 'DE89 3704 0044 0532 0130 00', currency: 'EUR' },
    reply: {
      message: 'Bank account added',
      account: { ...account, lines: 0, booked: nothing, open: nothing, proof: null, latest: null },
    },
  },
  updateAccount: {
    params,
    body: {
      csvProfile: {
        encoding: 'windows-1252',
        delimiter: ';',
        headerRow: 0,
        columns: { bookedOn: 0, amount: 3, name: 1, remittance: 2 },
        decimalSign: ',',
        dateOrder: 'dmy',
      },
    },
    reply: { message: 'Bank account saved', account: { ...account, version: 2 } },
  },
  import: importExample,
  imports: { reply: { imports: [imported], ...page } },
  checkUndoImport: {
    params: { id: '9' },
    reply: {
      refusal: '1 line of it has a purpose: what was decided stays on record, so this import cannot be undone',
      lines: [{ ...line, state: 'settled', allocated: line.amount, version: 2 }],
      lineCount: 1,
    },
  },
  undoImport: {
    params: { id: '9' },
    body: { reason: 'It was the file of another account' },
    reply: {
      message: 'Import undone',
      import: { ...imported, undone: { by: 'ada', at, reason: 'It was the file of another account' } },
    },
  },
  acceptUnreadable: {
    params: { id: '9' },
    body: { reason: 'Row 6 is a total' },
    reply: {
      message: 'Unread rows accepted',
      import: {
        ...imported,
        unreadableCount: 1,
        unreadable: ['row 6: the row has no amount'],
        acceptedUnreadable: { by: 'ada', at, reason: 'Row 6 is a total' },
      },
    },
  },
  file: { params: { id: '9' } },
  acceptGap: {
    params: { id: '12' },
    body: { reason: 'The bank left number 3 out' },
    reply: {
      message: 'Gap accepted',
      statement: { ...statement, acceptedGap: { by: 'ada', at, reason: 'The bank left number 3 out' } },
    },
  },
  acceptDifference: {
    params: { id: '12' },
    body: { reason: 'The bank corrects it in its next statement' },
    reply: {
      message: 'Difference accepted',
      statement: {
        ...statement,
        acceptedDifference: { by: 'ada', at, reason: 'The bank corrects it in its next statement' },
      },
    },
  },
  statements: { query: { accountId: account.id }, reply: { statements: [statement], ...page } },
  lines: { query: { state: 'open', search: 'lima' }, reply: { lines: [line], ...page } },
}
