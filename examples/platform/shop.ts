import { randomBytes } from 'node:crypto'
import { type CallConsole, RefusedError } from './console.ts'
import type { ConsoleEvent } from './events.ts'
import { type Payment, renderPayment } from './payment-page.ts'
import { drawSpecimen } from './picture.ts'

export interface Order {
  orderNumber: string
  projectName: string
  amount: string
  currency: string
  status: 'waiting_payment' | 'paid' | 'completed' | 'cancelled' | 'expired'
  /** How much of the amount has come through the bank. */
  received: string
  /** What is still to be paid back of each refund, by its `refundId`. */
  refunds: Record<string, string>
  /** What the member is told of the money. */
  notice: string | null
}
export interface Member {
  id: string
  email: string
  firstName: string
  lastName: string
  kyc: 'none' | 'waiting' | 'approved' | 'rejected' | 'reset'
  /** What the operator wrote to the member. */
  reason: string | null
  membershipId: string | null
  isBarred: boolean
  wallets: string[]
  orders: Order[]
  /** Types of the events about this member, in the order of arrival. */
  heard: string[]
}

/** The parts of a member that this shop reads. */
interface ConsoleMember {
  kyc: { status: string | null; rejectionReason: string | null }
  banned: boolean
  bannedReason: string | null
  membershipId: string | null
}
/** The parts of an order that this shop reads when it has missed events. */
type ConsoleOrder = Pick<Order, 'status' | 'received'>
const kycWords: Record<string, Member['kyc']> = { approved: 'approved', rejected: 'rejected', pending: 'reset' }

const hoursToPay = 72
const project = { projectId: 'solar-park', projectName: 'Solar Park' }
const bank = {
  bankName: 'Meridian Bank',
  accountHolder: 'Solar Park Ltd',
  accountNumber: '0012345',
  // With right check digits, as a payment code needs them, and of no country.
  iban: 'XX67 0000 0012 345',
  swift: 'MERIXX00',
}

/** Reverts what was noted before a call if the console refuses it. */
async function undoOnFailure(call: Promise<unknown>, takeBack: () => void): Promise<void> {
  try {
    await call
  } catch (error) {
    takeBack()
    throw error
  }
}

/** The last event of a refund says how it stands, however many came before. */
function hearRefund(
  order: Order,
  refundId: string,
  type: string,
  { outstanding, currency, amount }: ConsoleEvent['data'],
) {
  if (type === 'order.refund_withdrawn') {
    delete order.refunds[refundId]
    order.notice = `${amount} ${currency} will not be paid back`
    return
  }
  order.refunds[refundId] = outstanding ?? '0.00'
  const isPaid = outstanding === '0.00'
  order.notice = isPaid ? `${amount} ${currency} were paid back` : `${outstanding} ${currency} will be paid back`
}

/** What an event of an order changes. Only `order.paid` hands anything out. */
function hearOrder(order: Order, { type, data }: ConsoleEvent): void {
  const { received, outstanding, currency } = data
  if (data.refundId !== undefined) return hearRefund(order, data.refundId, type, data)
  switch (type) {
    case 'order.payment_received':
      // A completed order of which the bank had taken money back may have all of it again.
      Object.assign(order, {
        received,
        notice: outstanding === '0.00' ? null : `${outstanding} ${currency} are still to be paid`,
      })
      break
    case 'order.payment_reversed':
      // What was handed out would be taken back here. This shop hands nothing out before the order is completed, which is final: of
      // a completed order its member owes the money.
      Object.assign(order, { status: data.status, received, notice: `${outstanding} ${currency} are to be paid again` })
      break
    case 'order.paid':
      Object.assign(order, { status: 'paid', received: data.payment?.amount ?? order.received, notice: null })
      break
    case 'order.cancelled':
    case 'order.expired':
      order.status = type === 'order.expired' ? 'expired' : 'cancelled'
  }
}

/**
 * A shop of one project. It notes what it does before it calls, because an event about it may arrive before the answer. It
 * stores everything in memory. A real shop has a database.
 */
export function openShop(callConsole: CallConsole) {
  const members = new Map<string, Member>()

  function find(id: string): Member {
    const member = members.get(id)
    if (!member) throw new RefusedError(404, 'There is no such member')
    return member
  }

  function findActive(id: string): Member {
    const member = find(id)
    if (member.isBarred) throw new RefusedError(403, `You are barred: ${member.reason}`)
    return member
  }

  async function signUp(email: string, firstName: string, lastName: string): Promise<Member> {
    const id = `m-${randomBytes(6).toString('hex')}`
    const json = { email, legalFirstName: firstName, legalLastName: lastName }
    const state = { kyc: 'none', reason: null, membershipId: null, isBarred: false } as const
    const member: Member = { id, email, firstName, lastName, ...state, wallets: [], orders: [], heard: [] }
    members.set(id, member)
    await undoOnFailure(callConsole({ method: 'PUT', path: `/members/${id}`, json }), () => members.delete(id))
    return member
  }

  /** Uploads three pictures, sends the three steps and submits the attempt, under the number that the console expects. */
  async function handInKyc(id: string): Promise<Member> {
    const member = findActive(id)
    const known = await callConsole<{ kyc: { nextAttempt: number | null } }>({ method: 'GET', path: `/members/${id}` })
    const attempt = known.kyc.nextAttempt
    if (attempt === null || member.kyc === 'waiting') throw new RefusedError(409, 'There is nothing to hand in now')
    const upload = async (kind: string) => {
      const picture = drawSpecimen(`${kind} of ${id}, attempt ${attempt}`)
      const path = `/members/${id}/documents/${kind}`
      return (await callConsole<{ documentPath: string }>({ method: 'PUT', path, picture })).documentPath
    }
    const json = {
      step2: { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' },
      step3: {
        documentType: 'id_card',
        frontDocumentPath: await upload('front'),
        backDocumentPath: await upload('back'),
      },
      step4: { selfiePath: await upload('selfie') },
      submit: true,
    }
    const { kyc, reason } = member
    Object.assign(member, { kyc: 'waiting', reason: null })
    const call = callConsole({ method: 'PUT', path: `/members/${id}/kyc/${attempt}`, json })
    await undoOnFailure(call, () => Object.assign(member, { kyc, reason }))
    return member
  }

  async function addWallet(id: string): Promise<Member> {
    const member = findActive(id)
    const address = `0x${randomBytes(20).toString('hex')}`
    await callConsole({ method: 'PUT', path: `/members/${id}/wallets/${address}`, json: {} })
    member.wallets.push(address)
    return member
  }

  async function placeOrder(id: string, amount: string, currency: string): Promise<Order> {
    const member = findActive(id)
    if (member.kyc !== 'approved') throw new RefusedError(403, 'Only verified members can invest')
    const orderNumber = `ORD-${randomBytes(5).toString('hex').toUpperCase()}`
    const json = {
      ...project,
      ...bank,
      memberId: id,
      investmentAmount: amount,
      currency,
      paymentInstructions: 'Give the reference unchanged.',
      expiresAt: new Date(Date.now() + hoursToPay * 3_600_000).toISOString(),
    }
    const money = { amount, currency, received: '0.00', refunds: {}, notice: null }
    const order: Order = { orderNumber, projectName: project.projectName, ...money, status: 'waiting_payment' }
    member.orders.push(order)
    await undoOnFailure(callConsole({ method: 'PUT', path: `/orders/${orderNumber}`, json }), () => member.orders.pop())
    return order
  }

  /** The page on which a member pays an order. The code asks for the rest, so it is read again each time. */
  async function showPayment(orderNumber: string): Promise<string> {
    const isKnown = [...members.values()].some(({ orders }) =>
      orders.some((order) => order.orderNumber === orderNumber),
    )
    if (!isKnown) throw new RefusedError(404, 'There is no such order')
    return renderPayment(await callConsole<Payment>({ method: 'GET', path: `/orders/${orderNumber}` }))
  }

  /**
   * The money has arrived: the shop completes the order, and only then delivers what was bought, because a payment that was reversed
   * meanwhile is refused here.
   */
  async function complete(order: Order): Promise<void> {
    const path = `/orders/${order.orderNumber}/complete`
    await callConsole({ method: 'POST', path, idempotencyKey: `complete-${order.orderNumber}` })
    order.status = 'completed'
  }

  function findEntities({ data }: ConsoleEvent) {
    const member = members.get(data.memberId ?? '')
    return { member, order: member?.orders.find(({ orderNumber }) => orderNumber === data.orderNumber) }
  }

  /** Whether this shop created the subject of an event. It forgets everything at its end, and never creates tokens. */
  function knows(event: ConsoleEvent): boolean {
    const { member, order } = findEntities(event)
    if (event.data.orderNumber !== undefined) return order !== undefined
    return event.data.memberId === undefined || member !== undefined
  }

  /** Applies an event here. Returns the work that is left after the console has its answer. */
  function hear(event: ConsoleEvent): (() => Promise<void>) | undefined {
    const { type, data } = event
    const { member, order } = findEntities(event)
    member?.heard.push(type)
    const [subject, verb] = type.split('.')
    if (member && subject === 'kyc') {
      member.kyc = verb as Member['kyc']
      member.reason = data.reason ?? null
      member.membershipId = data.membershipId ?? member.membershipId
    }
    if (member && subject === 'member') {
      member.isBarred = verb === 'banned'
      member.reason = data.reason ?? null
    }
    if (order) hearOrder(order, event)
    return order && type === 'order.paid' ? () => complete(order) : undefined
  }

  /** Reads the present state instead of applying an event, because earlier events are missing. */
  async function catchUp(event: ConsoleEvent): Promise<void> {
    const { member, order } = findEntities(event)
    if (member) {
      const path = `/members/${member.id}`
      const { kyc, banned, bannedReason, membershipId } = await callConsole<ConsoleMember>({ method: 'GET', path })
      member.kyc = kyc.status === null ? 'none' : (kycWords[kyc.status] ?? 'waiting')
      Object.assign(member, { isBarred: banned, membershipId, reason: banned ? bannedReason : kyc.rejectionReason })
    }
    if (order) {
      const path = `/orders/${order.orderNumber}`
      const { status, received } = await callConsole<ConsoleOrder>({ method: 'GET', path })
      Object.assign(order, { status, received, notice: null })
      if (order.status === 'paid') await complete(order)
    }
  }

  return { find, signUp, handInKyc, addWallet, placeOrder, showPayment, knows, hear, catchUp }
}
