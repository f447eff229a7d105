import { expect } from 'vitest'
import type { ApprovalAction } from '#contract/approvals.ts'
import type { Approval, RuleChange } from '#contract/schemas/approvals.ts'
import type { Caller, TestServer } from './server.ts'

const on: RuleChange = { isOn: true, fromAmount: null, currency: null, roles: null }

/** Calls of rules and requests. The rules are set by `admin`, a super admin. */
export function createApprovalCaller(server: TestServer, admin: Caller) {
  const setRule = (action: ApprovalAction, change: Partial<RuleChange> = {}) =>
    admin('PUT', `/api/approval-rules/${action}`, { ...on, ...change })
  return {
    setRule,
    /** Turns a rule on, and off after the test's own work. */
    withRule: async <T>(
      action: ApprovalAction,
      work: () => Promise<T>,
      change: Partial<RuleChange> = {},
    ): Promise<T> => {
      expect((await setRule(action, change)).statusCode).toBe(200)
      try {
        return await work()
      } finally {
        await server.sql('DELETE FROM approval_rules WHERE action = $1', [action])
      }
    },
    /** The request that a call has made. */
    readRequest: (reply: { statusCode: number; body: string }): Approval => {
      expect(reply.statusCode, reply.body).toBe(202)
      return JSON.parse(reply.body).approval
    },
    approve: (by: Caller, { id }: Pick<Approval, 'id'>, comment: string | null = null) =>
      by('POST', `/api/approvals/${id}/approve`, { comment }),
    decline: (by: Caller, { id }: Pick<Approval, 'id'>, comment = 'Not this one') =>
      by('POST', `/api/approvals/${id}/decline`, { comment }),
    withdraw: (by: Caller, { id }: Pick<Approval, 'id'>) => by('POST', `/api/approvals/${id}/withdraw`),
    read: async (by: Caller, { id }: Pick<Approval, 'id'>): Promise<Approval> =>
      (await by('GET', `/api/approvals/${id}`)).json().approval,
  }
}
