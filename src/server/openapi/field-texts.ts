import type { OperatorMove } from '#contract/order-moves.ts'
import { actionFamilies } from '#contract/security.ts'

const actions = Object.values(actionFamilies).flatMap((family) => family.actions.map((action) => `\`${action}\``))

const amount = 'A decimal string; never a number, which could not hold it exactly.'
const instant = 'ISO 8601 with an offset. Leave it out to take the time of the call.'
const hash = 'A wallet or contract address. One in mixed case must match its EIP-55 checksum.'

const orderNotes: Record<OperatorMove, string> = {
  paid: 'Payment notes of `paid` (may be absent)',
  cancelled: 'the reason of `cancelled` (needed)',
  waiting_payment: 'the reason of `waiting_payment` (needed)',
}

/** The meaning of a field whose name and form leave it open, by component and field. */
export const fieldTexts: Record<string, Record<string, string>> = {
  ErrorReply: {
    message: 'What is wrong, in words for anyone who reads it.',
    code: 'What is wrong, for a program. A code keeps its meaning and status; new ones may be added, so treat one you do not know by its status.',
    details: 'The fields that were wrong, or the state that stood in the way.',
    requestId: "Of a 5xx: the number under which the console's log holds the whole.",
  },
  MemberBody: {
    email: 'Unique without regard to case.',
    createdAt: `When the member registered. ${instant}`,
    legalFirstName: 'Leave it out to keep what is stored.',
    legalLastName: 'Leave it out to keep what is stored.',
    legalPhone: 'Leave it out to keep what is stored.',
  },
  WalletBody: { createdAt: `When the wallet was added. ${instant}` },
  KycBody: {
    step2: 'Personal data.',
    step3: 'The identity document; its paths are what the document uploads answered.',
    step4: 'The selfie; its path is what the document upload answered.',
    submit: 'Hands the attempt in for review, with whatever steps are there.',
    submittedAt: instant,
  },
  OrderBody: {
    investmentAmount: `Above 0, with no more places than its currency has: none, two or three. ${amount}`,
    currency: 'ISO 4217.',
    expiresAt: 'From then on the order can no longer be marked paid.',
    paymentInstructions: 'What the member was told about how to pay.',
    createdAt: instant,
  },
  TransactionBody: { amount },
  FractionBody: { amount, tokenAddress: hash },
  TokenBody: { logo: 'At most two characters, as a person counts them.', isActive: 'True for a new token.' },
  PutReply: {
    outcome: 'The same call again answers `unchanged`.',
    version: 'Of a member, an order or a token: for `If-Match` of the next change. Other things have none.',
  },
  PlatformMember: {
    membershipId: 'Given with the first approval: `MB-` and eight digits, nine from the ten-millionth member on.',
    bannedReason: 'Null while the member is not banned.',
    wallets: 'The first 100, the oldest first; `GET /members/{id}/wallets` lists all.',
    version: 'For `If-Match` of the next change.',
  },
  PlatformOrder: {
    notes: 'The payment notes, or why it was cancelled or its payment undone.',
    investmentAmount: amount,
    status: '`expired` from `expiresAt` on.',
    paymentReference:
      'ISO 11649, without blanks; it never changes. A payment that repeats it is matched beyond doubt: show it to the member, in groups of four.',
    received: `How much of the amount the bank's money covers. ${amount}`,
    epcPayload:
      'The text of an EPC QR code (EPC069-12) for what is outstanding: draw it for the member, error correction M. Null unless the order waits for payment, in EUR, to a valid IBAN.',
    version: 'For `If-Match` of the next change.',
  },
  PlatformEventRecord: {
    id: 'The `webhook-id` of every try.',
    sequence: 'The place among the events of its entity: from 1, without gaps.',
    delivery: 'Over all its endpoints, as it stood when the page was read.',
  },
  ImportResult: {
    accepted: 'Lines that were taken: created, updated and unchanged together.',
    errors: 'Lines are counted from 1; the first 1,000 errors.',
  },
  KycResult: {
    caseId: 'The case as it was sent to the provider.',
    kycScore: '0 to 100.',
    reason: 'Needed when the result is `rejected`.',
    autoProcessed: 'Whether the provider itself has decided the member; else an operator decides.',
    resultAt:
      'When the provider came to the result: of two the later one counts. Left out, it is when the message first came.',
  },
  KycResultTaken: {
    outcome:
      '`applied`: it changed the case. `recorded`: the case was decided, nothing changed. `duplicate`: heard before.',
  },
  Member: {
    id: "The platform's own id.",
    kycStatus: 'Null while KYC was never begun.',
    version: 'For `If-Match` of the next change.',
  },
  Order: { investmentAmount: amount, version: 'For `If-Match` of the next change.' },
  BankAccount: {
    account: "An IBAN without blanks, or the bank's own number.",
    csvProfile: 'How the bank writes CSV; null until a person has confirmed it.',
    booked: 'Its booked lines, whatever their state.',
    unreadable: 'What of its files could not be read and nobody has accepted; null where there is nothing.',
    open: 'Booked lines of which nothing has a purpose yet.',
    version: 'For `If-Match` of the next change.',
  },
  BankImport: {
    id: 'Null in a dry run, which stores nothing.',
    undone: 'Who undid it, when, and why; null while it stands.',
    unreadable: 'The first 5 parts that could not be read, with their places.',
    acceptedUnreadable: 'Who accepted that parts could not be read, when, and why.',
  },
  ImportedStatement: { id: 'Null in a dry run, which stores nothing.' },
  BankStatement: {
    difference: 'Opening + credits - debits - closing; null where the file has no such balances.',
    isGap: 'The statement before it is missing, and nobody has accepted that.',
    contradiction:
      'The later statement that begins with another balance than this one ended with, though none is missing between them.',
    acceptedGap: 'Who accepted that the statement before it never comes, when, and why.',
    acceptedDifference: 'Who accepted that its lines and balances differ, when, and why.',
  },
  BankLine: {
    amount: `0 or more. ${amount}`,
    payer: 'Who paid; of a debit, who was paid.',
    place: 'Where it stands in its file.',
    remittance: 'What the payer wrote.',
    info: 'What the bank wrote.',
  },
  Token: { version: 'For `If-Match` of the next change.' },
  Verification: {
    kycScore: '0 to 100; null while not scored.',
    claimedBy: 'Who has the case open in review mode.',
    version: 'For `If-Match` of the next change.',
  },
  AccountSession: {
    isCurrent: 'True of the session that asks.',
    device: 'In words, by what the browser or program says of itself; anybody can say anything.',
    lastActiveAt: 'To about 20 seconds.',
  },
  AdminLog: { action: `One of ${actions.join(', ')}; later versions may add more.` },
  SecurityEvent: { version: 'For `If-Match` of the next change.' },
  ListedSubmission: { userVersion: 'The member’s version, for `If-Match` of a decision on the member.' },
  SetOrderStatus: { notes: `${Object.values(orderNotes).join(', or ')}.` },
  KycDecision: { rejectionReason: 'Needed for reject, ignored otherwise. The member may read it.' },
  ReviewBody: { rejectionReason: 'Needed for reject, ignored otherwise. The member may read it.' },
  NewToken: { contractAddress: hash, logo: "Empty: the kind's own." },
  WalletBalance: {
    partial: 'True when a token could not be read; `failed` names it. Never a made-up zero.',
    blockNumber: 'All figures are of this block.',
  },
  Resent: { skipped: 'Came in, or a try is under way.' },
}
