import type { BankLine } from '#contract/schemas/bank.ts'
import type { BankPart, Candidate, CandidateOrder } from '#contract/schemas/reconciliation.ts'
import type { BankPolicy } from '#contract/schemas/bank-policy.ts'
import { line } from './bank.ts'
import type { ExamplesOf } from './example-types.ts'
import { at, later, order } from './samples.ts'

const candidateOrder: CandidateOrder = {
  id: order.id,
  orderNumber: order.orderNumber,
  userId: order.userId,
  userFirstName: order.userFirstName,
  userLastName: order.userLastName,
  userEmail: order.userEmail,
  userBanned: false,
  projectName: order.projectName,
  investmentAmount: order.investmentAmount,
  received: '0.00',
  outstanding: order.investmentAmount,
  currency: order.currency,
  status: 'waiting_payment',
  paidVia: null,
  iban: order.iban,
  createdAt: order.createdAt,
  expiresAt: order.expiresAt,
}

const reasons: Candidate['reasons'] = [
  { text: 'Names the order number', speaks: 'for' },
  { text: 'The amount is exact', speaks: 'for' },
]
const candidate: Candidate = {
  orders: [candidateOrder],
  credit: null,
  moreCredits: [],
  transfer: null,
  parts: [{ orderId: order.id, amount: line.amount }],
  outcome: 'exact',
  flags: [],
  score: 100,
  isLikely: true,
  reasons,
  refusal: null,
  needsReason: null,
  usualAccounts: [],
}

const refund: Candidate = {
  ...candidate,
  orders: [],
  credit: {
    lineId: '31',
    accountId: line.accountId,
    accountName: line.accountName,
    bookedOn: line.bookedOn,
    amount: line.amount,
    currency: line.currency,
    payerName: 'Ana Lima',
    payerAccount: line.payer.account,
    refundDue: line.amount,
    refundsDue: [{ id: '70', order: null, cause: 'overpaid', amount: line.amount, due: line.amount, returned: null }],
    returnable: '0.00',
  },
  parts: [],
  outcome: 'refund',
  reasons: [{ text: 'A refund of it is due', speaks: 'for' }],
}

const part: BankPart = {
  id: '77',
  lineId: line.id,
  purpose: 'order',
  amount: line.amount,
  currency: line.currency,
  order: { id: order.id, orderNumber: order.orderNumber, userId: order.userId },
  otherLineId: null,
  cause: null,
  refundDue: null,
  returned: null,
  code: null,
  reason: null,
  rule: 'hand',
  evidence: { score: 100, outcome: 'exact', flags: [], reasons },
  madeBy: 'ada',
  madeAt: later,
  undoneBy: null,
  undoneAt: null,
  undoReason: null,
  undoRefusal: null,
  restores: [],
  paidTwice: [],
}

const settled: BankLine = {
  ...line,
  state: 'settled',
  allocated: line.amount,
  suggestion: null,
  outcome: null,
  proposedOrders: [],
  version: 2,
}
const paid = { ...order, received: order.investmentAmount, paidVia: 'bank', notes: null } as const

const {
  version: _version,
  changedBy: _by,
  changedAt: _at,
  confirmed: _confirmed,
  ...policyChange
}: BankPolicy = {
  autoApply: true,
  autoCombined: false,
  autoRemainder: false,
  payerName: 'same',
  feeTolerance: '35.00',
  graceDays: 1,
  overpaidUpTo: '0.00',
  reasonForThirdParty: true,
  maxAutoAmount: null,
  version: 2,
  changedBy: 'ada',
  changedAt: at,
  confirmed: { right: 112, total: 112 },
}
const policy: BankPolicy = {
  ...policyChange,
  version: 2,
  changedBy: 'ada',
  changedAt: at,
  confirmed: { right: 112, total: 112 },
}

const params = { id: line.id }

const undone = {
  message: 'Payment Undone',
  line: { ...line, version: 3 },
  orders: [{ ...order, status: 'waiting_payment' as const, notes: null, paidAt: null, paidVia: null, version: 4 }],
  restored: [],
}

export const reconciliation: ExamplesOf<'reconciliation'> = {
  line: {
    params,
    reply: {
      line,
      claim: { by: 'ada', until: later, isMine: true },
      candidates: [candidate],
      equallyGood: 1,
      obstacle: null,
      found: [{ text: order.orderNumber, kind: 'number', orderNumber: order.orderNumber }],
      parts: [],
    },
  },
  claim: { params, reply: { claimedUntil: later } },
  release: { params },
  judge: { params, body: { orderId: order.id }, reply: { candidate } },
  credits: { params, query: { search: 'Ana Lima' }, reply: { candidates: [refund] } },
  apply: {
    params,
    body: { parts: [{ purpose: 'order', orderId: order.id, amount: line.amount }] },
    reply: { message: 'Payment Applied', line: settled, orders: [paid], parts: [part] },
  },
  applyExact: {
    body: { lines: [{ id: line.id, version: line.version }] },
    reply: { applied: [{ id: line.id, orderNumbers: [order.orderNumber], partIds: [part.id] }], skipped: [] },
  },
  undo: { params: { id: part.id }, body: { reason: 'Applied by mistake' }, reply: undone },
  undoParts: { params, body: { partIds: [part.id], reason: 'Applied by mistake' }, reply: undone },
  policy: { reply: { policy } },
  savePolicy: { body: policyChange, reply: { message: 'Reconciliation policy saved', policy } },
  orderPayments: {
    params: { id: order.id },
    reply: {
      asked: order.investmentAmount,
      received: order.investmentAmount,
      outstanding: '0.00',
      currency: order.currency,
      paidVia: 'bank',
      takenBack: '0.00',
      payments: [
        {
          part,
          line: {
            id: line.id,
            accountId: line.accountId,
            accountName: line.accountName,
            statementNumber: line.statementNumber,
            place: line.place,
            bookedOn: line.bookedOn,
            amount: line.amount,
            payer: line.payer,
            claims: line.claims,
          },
        },
      ],
      waiting: [
        {
          id: line.id,
          open: '250.00',
          currency: line.currency,
          bookedOn: line.bookedOn,
          payer: line.payer.name,
          text: line.remittance.join(' '),
        },
      ],
      reference: order.paymentReference,
      epc: null,
      epcRefusal: 'Nothing is outstanding',
    },
  },
  memberPayers: {
    params: { id: order.userId },
    reply: {
      accounts: [
        {
          account: 'PT50000201231234567890154',
          confirmedBy: 'ada',
          confirmedAt: later,
          payments: 1,
          lastOn: '2026-01-05',
          sharedWith: 0,
        },
      ],
      thirdParty: [],
    },
  },
}
