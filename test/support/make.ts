import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { documents, kycStep2, kycStep3, kycStep4, kycSubmissions, kycVerifications } from '#server/db/tables/kyc.ts'
import { orders } from '#server/db/tables/orders.ts'
import { chainTransactions, fractions, platformTransactions } from '#server/db/tables/transactions.ts'
import { members } from '#server/db/tables/members.ts'
import { wallets } from '#server/db/tables/wallets.ts'
import { foldCounts } from '#server/jobs/fold-counts.ts'
import { paymentDetails } from './payment-details.ts'
import type { TestServer } from './server.ts'

let made = 0
const nextNumber = () => ++made
/** A wallet or contract address, lower case, another one each time. */
export const newAddress = () => `0xa${nextNumber().toString(16).padStart(39, '0')}`
const newHash = () => `0xb${nextNumber().toString(16).padStart(63, '0')}`

const buildMemberId = (number: number) => `m-${number}`
type ColumnValues<Table extends { $inferInsert: object }> = Partial<Table['$inferInsert']>

/** A member straight into the table; an approved one has a membership id, a banned one its reason. */
export async function makeMember({ services }: TestServer, given: ColumnValues<typeof members> = {}) {
  const number = nextNumber()
  const isBanned = given.banned === true && {
    bannedReason: 'Fraud',
    bannedBy: 'ada',
    bannedAt: new Date().toISOString(),
  }
  const isApproved = given.kycStatus === 'approved' && { membershipId: `MB-test-${number}` }
  const [member] = await services.database.db
    .insert(members)
    .values({ id: buildMemberId(number), email: `member${number}@example.com`, ...isBanned, ...isApproved, ...given })
    .returning()
  return member!
}

/** Several members, `count` of them, each from what `given` answers for its number from 0. */
export async function makeMembers(
  server: TestServer,
  count: number,
  given: (index: number) => ColumnValues<typeof members>,
) {
  return Promise.all(Array.from({ length: count }, (_, index) => makeMember(server, given(index))))
}

/** Folds the counts of long lists, as the job does every few seconds. */
export const foldListCounts = ({ services }: TestServer) => foldCounts(services)

/** One attempt at KYC: its three steps, and when `isSubmitted` its submission row and pending verification. */
export async function makeAttempt(
  { services }: TestServer,
  member: string,
  given: { attempt?: number; isSubmitted?: boolean; at?: string } = {},
) {
  const { db } = services.database
  const { attempt = 1, isSubmitted = true, at = new Date().toISOString() } = given
  const step = {
    memberId: member,
    attemptNumber: attempt,
    status: isSubmitted ? ('submitted' as const) : ('draft' as const),
    submittedAt: at,
  }
  await db.insert(kycStep2).values({ ...step, dateOfBirth: '1991-03-14', nationality: 'PT', countryOfResidence: 'ES' })
  await db
    .insert(kycStep3)
    .values({
      ...step,
      documentType: 'passport',
      frontDocument: `${member}-front-${attempt}`,
      backDocument: `${member}-back-${attempt}`,
    })
  await db.insert(kycStep4).values({ ...step, selfie: `${member}-selfie-${attempt}` })
  if (!isSubmitted) return
  const submitted = { memberId: member, attemptNumber: attempt, submittedAt: at }
  await db.insert(kycSubmissions).values({ ...submitted, caseId: `case-${member}-${attempt}` })
  await db.insert(kycVerifications).values({ ...submitted, documentType: 'passport', nationality: 'PT' })
}

export async function makeWallet({ services }: TestServer, member: string, given: ColumnValues<typeof wallets> = {}) {
  const [wallet] = await services.database.db
    .insert(wallets)
    .values({ memberId: member, address: newAddress(), ...given })
    .returning()
  return wallet!
}

export async function makeTransaction(
  { services }: TestServer,
  member: string,
  given: ColumnValues<typeof platformTransactions> = {},
) {
  const [transaction] = await services.database.db
    .insert(platformTransactions)
    .values({
      id: `t-${nextNumber()}`,
      memberId: member,
      type: 'deposit',
      amount: '250.00',
      status: 'completed',
      ...given,
    })
    .returning()
  return transaction!
}

export async function makeChainTransaction(
  { services }: TestServer,
  walletAddress: string,
  given: ColumnValues<typeof chainTransactions> = {},
) {
  const [transaction] = await services.database.db
    .insert(chainTransactions)
    .values({
      transactionHash: newHash(),
      logIndex: 0,
      walletAddress,
      transactionType: 'deposit',
      tokenAddress: newAddress(),
      tokenSymbol: 'ABC',
      projectName: 'Solar Park',
      amount: '10.5',
      status: 'completed',
      isImported: false,
      ...given,
    })
    .returning()
  return transaction!
}

export async function makeFraction(
  { services }: TestServer,
  member: string,
  given: ColumnValues<typeof fractions> = {},
) {
  const [fraction] = await services.database.db
    .insert(fractions)
    .values({
      id: `f-${nextNumber()}`,
      memberId: member,
      projectName: 'Solar Park',
      amount: '12.5',
      tokenAddress: newAddress(),
      receivedAt: new Date().toISOString(),
      ...given,
    })
    .returning()
  return fraction!
}

/** A waiting order that expires in a day. */
export async function makeOrder({ services }: TestServer, member: string, given: ColumnValues<typeof orders> = {}) {
  const [order] = await services.database.db
    .insert(orders)
    .values({
      orderNumber: `ORD-${nextNumber()}`,
      memberId: member,
      projectId: 'p-1',
      projectName: 'Solar Park',
      investmentAmount: '1500.50',
      currency: 'EUR',
      ...paymentDetails,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      ...given,
    })
    .returning()
  return order!
}

/** A small picture that no other one equals. */
const drawPicture = () =>
  sharp({ create: { width: 40 + nextNumber(), height: 30, channels: 3, background: '#305070' } })
    .jpeg()
    .toBuffer()

/** A stored document and its row. `bytes` null: the row alone, as if the store had lost the file. */
export async function makeDocument(
  { services }: TestServer,
  member: string,
  given: ColumnValues<typeof documents> & { bytes?: Buffer | null } = {},
) {
  const { bytes = await drawPicture(), ...columns } = given
  const stored = createHash('sha256')
    .update(bytes ?? `lost ${nextNumber()}`)
    .digest()
  if (bytes) await services.documents.put({ kind: 'picture', sha256: stored.toString('hex') }, bytes)
  const [document] = await services.database.db
    .insert(documents)
    .values({
      key: `doc-${nextNumber()}`,
      memberId: member,
      kind: 'front',
      uploadHash: stored,
      storedHash: stored,
      byteSize: bytes?.length ?? 1,
      width: 800,
      height: 500,
      ...columns,
    })
    .returning()
  return document!
}
