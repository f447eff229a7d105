import { createHash } from 'node:crypto'
import { paymentDetails } from '#test/support/payment-details.ts'
import { signResult } from '#test/support/sign-result.ts'
import type { HttpCall } from './call.ts'
import type { Operation } from './history.ts'
import type { SeededTargets } from './seed.ts'

interface Credentials {
  cookie: string
  platformKey: string
  resultSecret: string
}

let marks = 0
const platform = '/api/platform/v1'
const { stringify } = JSON

const orderBody = (projectName: string, memberId = 'buyer-1') => ({
  memberId,
  projectId: 'p-1',
  projectName,
  investmentAmount: '100.00',
  currency: 'EUR',
  expiresAt: '2099-01-05T09:00:00.000Z',
  ...paymentDetails,
})

/** Makes the changes that clients intend, of each kind in turn, until its targets are used up. */
export class Intentions {
  readonly #given: SeededTargets
  readonly #operator: Record<string, string>
  readonly #platform: Record<string, string>
  readonly #secret: string
  readonly #pictures: { target: string; picture: Buffer }[] = []
  #next = 0

  constructor(given: SeededTargets, { cookie, platformKey, resultSecret }: Credentials) {
    this.#given = given
    this.#operator = { cookie, 'content-type': 'application/json' }
    this.#platform = { authorization: `Bearer ${platformKey}`, 'content-type': 'application/json' }
    this.#secret = resultSecret
  }

  /** The next intended change, and those that follow once it stands. */
  next(): Operation[] {
    const makers = [
      this.#ban,
      this.#savings,
      this.#approve,
      this.#pay,
      this.#import,
      this.#result,
      this.#cancel,
      this.#apply,
      this.#upload,
    ]
    for (let tries = 0; tries < makers.length; tries++) {
      const made = makers[this.#next++ % makers.length]!()
      if (made.length > 0) return made
    }
    return this.#savings()
  }

  /** Pictures to upload, each of another one of the members who are banned. */
  addPictures(pictures: readonly Buffer[]): void {
    for (const [n, picture] of pictures.entries()) this.#pictures.push({ target: `ban-${n + 1}`, picture })
  }

  /** The upload of a picture, which a history does not follow. */
  saveDocument(memberId: string, body: Buffer): HttpCall {
    const { authorization } = this.#platform as { authorization: string }
    const headers = { authorization, 'content-type': 'image/jpeg' }
    return { method: 'PUT', path: `${platform}/members/${memberId}/documents/front`, headers, body }
  }

  /** A member, each time with another name, by a call that a history does not follow. */
  saveMember = (id: string): HttpCall =>
    this.#save(`/members/${id}`, { email: `${id}@example.com`, legalLastName: this.#mark() })

  #mark = () => `mark-${++marks}`
  #decide = (path: string, body: object, method: HttpCall['method'] = 'POST'): HttpCall => ({
    method,
    path,
    headers: this.#operator,
    body: stringify(body),
  })
  #save = (path: string, body: object, headers: Record<string, string> = {}): HttpCall => ({
    method: 'PUT',
    path: platform + path,
    headers: { ...this.#platform, ...headers },
    body: stringify(body),
  })

  #ban = (): Operation[] => {
    const target = this.#given.bans.pop()
    if (target === undefined) return []
    const mark = this.#mark()
    return [
      { kind: 'ban', target, mark, call: this.#decide(`/api/users/${target}/ban`, { reason: mark }) },
      { kind: 'unban', target, mark, call: this.#decide(`/api/users/${target}/unban`, {}) },
    ]
  }

  #approve = (): Operation[] => {
    const target = this.#given.approvals.pop()
    if (target === undefined) return []
    const mark = this.#mark()
    const call = this.#decide(`/api/users/${target}/kyc/approve`, { adminNotes: mark })
    return [{ kind: 'approve', target, mark, call }]
  }

  /** A provider's message keeps its id and its signature over all tries. */
  #result = (): Operation[] => {
    const target = this.#given.results.pop()
    if (target === undefined) return []
    const mark = this.#mark()
    const facts = {
      caseId: `case-${target}`,
      userId: target,
      attemptNumber: 1,
      result: 'approved',
      autoProcessed: true,
    }
    const { body, headers } = signResult(this.#secret, facts, { id: mark })
    return [
      { kind: 'kycResult', target, mark, call: { method: 'POST', path: `${platform}/kyc-results`, headers, body } },
    ]
  }

  #pay = (): Operation[] => {
    const order = this.#given.payments.pop()
    if (!order) return []
    const mark = this.#mark()
    const paid = { status: 'paid', notes: mark }
    const complete: HttpCall = {
      method: 'POST',
      path: `${platform}/orders/${order.number}/complete`,
      headers: { authorization: this.#platform.authorization!, 'idempotency-key': mark },
    }
    return [
      {
        kind: 'markPaid',
        target: order.number,
        mark,
        call: this.#decide(`/api/orders/${order.id}/status`, paid, 'PATCH'),
      },
      { kind: 'complete', target: order.number, mark, call: complete },
    ]
  }

  #cancel = (): Operation[] => {
    const order = this.#given.cancellations.pop()
    if (!order) return []
    const mark = this.#mark()
    const call = this.#decide(`/api/orders/${order.id}/status`, { status: 'cancelled', notes: mark }, 'PATCH')
    return [{ kind: 'cancel', target: order.number, mark, call }]
  }

  #apply = (): Operation[] => {
    const line = this.#given.lines.pop()
    if (!line) return []
    const allocations = [{ purpose: 'order', orderId: line.orderId, amount: '100.00' }]
    const call = this.#decide(`/api/bank/lines/${line.id}/allocations`, { allocations })
    return [{ kind: 'applyPayment', target: line.id, mark: line.number, call }]
  }

  #upload = (): Operation[] => {
    const given = this.#pictures.pop()
    if (!given) return []
    const { target, picture } = given
    const mark = createHash('sha256').update(picture).digest('hex')
    return [{ kind: 'saveDocument', target, mark, call: this.saveDocument(target, picture) }]
  }

  /** A member, and an order of it. */
  #savings = (): Operation[] => {
    const mark = this.#mark()
    const member = `member-${mark}`
    const order = `order-${mark}`
    const body = { email: `${member}@example.com`, legalFirstName: 'Ana', legalLastName: mark }
    return [
      { kind: 'saveMember', target: member, mark, call: this.#save(`/members/${member}`, body) },
      { kind: 'saveOrder', target: order, mark, call: this.#save(`/orders/${order}`, orderBody(mark, member)) },
    ]
  }

  #import = (): Operation[] => {
    const mark = this.#mark()
    const id = `import-${mark}`
    const address = `0x${marks.toString(16).padStart(40, 'c')}`
    const lines = [
      { type: 'member', id, email: `${id}@example.com` },
      { type: 'wallet', memberId: id, address },
      { type: 'order', orderNumber: id, ...orderBody(mark, id) },
    ]
    const call: HttpCall = {
      method: 'POST',
      path: `${platform}/import?batch=${mark}`,
      headers: { ...this.#platform, 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => stringify(line)).join('\n'),
    }
    return [{ kind: 'import', target: id, mark, call }]
  }
}
