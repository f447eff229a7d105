import { createHash, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { bankAccounts, bankImports, bankLines, bankStatements } from '#server/db/tables/bank.ts'
import type { BankAllocation, RestoredAllocation } from '#contract/schemas/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { specimenIban } from './bank-files.ts'
import type { TestServer } from './server.ts'

const today = () => new Date().toISOString().slice(0, 10)

/** An account in EUR with a statement, straight into the tables, and lines of it. */
export async function createStoredLines({ services }: TestServer, number = specimenIban) {
  const { db } = services.database
  const [account] = await db
    .insert(bankAccounts)
    .values({ name: 'Giro', account: number, accountKey: number, currency: 'EUR' })
    .returning()
  const [file] = await db
    .insert(bankImports)
    .values({
      sha256: createHash('sha256').update(number).digest('hex'),
      fileName: 'statement.xml',
      format: 'camt',
      size: 1,
      linesNew: 1,
      linesKnown: 0,
      unreadableCount: 0,
      warnings: [],
      unreadable: [],
      importedBy: 'ada',
    })
    .returning()
  const [statement] = await db
    .insert(bankStatements)
    .values({ importId: file!.id, accountId: account!.id, kind: 'camt.053', number: '1' })
    .returning()
  let place = 0
  return {
    account: account!,
    /** A booked credit of today by Ana Lima. */
    makeLine: async (given: Partial<typeof bankLines.$inferInsert> = {}) => {
      place += 1
      const [line] = await db
        .insert(bankLines)
        .values({
          accountId: account!.id,
          statementId: statement!.id,
          key: randomUUID(),
          occurrence: 1,
          place: `line ${place}`,
          position: place,
          bookedOn: today(),
          direction: 'credit',
          amount: '100.00',
          currency: 'EUR',
          isReversal: false,
          booking: 'booked',
          payerName: 'ANA LIMA',
          structured: [],
          remittance: [],
          info: [],
          details: {},
          ...given,
        })
        .returning()
      return line!
    },
  }
}

export interface AppliedReply {
  message: string
  line: BankLine
  orders: Order[]
  allocations: BankAllocation[]
}

/** Calls of an operator that allocate the money of lines, and what they leave behind. */
export function createAllocationCaller(server: TestServer, username = 'ada') {
  const call = server.as(username)
  const send = (
    lineId: string,
    allocations: object[],
    { version, ...more }: { version?: number; reason?: string } = {},
  ) =>
    call(
      'POST',
      `/api/bank/lines/${lineId}/allocations`,
      { allocations, ...more },
      version === undefined ? {} : { 'if-match': `"${version}"` },
    )
  const refusal = ({ statusCode, json }: Awaited<ReturnType<typeof call>>) => {
    const { code, message } = json<{ code: string; message: string }>()
    return [statusCode, code, message]
  }
  return {
    send,
    /** Allocations that have to be taken. */
    apply: async (...given: Parameters<typeof send>): Promise<AppliedReply> => {
      const reply = await send(...given)
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json()
    },
    /** Status, code and message of what has to be refused. */
    refuse: async (...given: Parameters<typeof send>) => refusal(await send(...given)),
    undo: async (
      allocationId: string,
      reason = 'Wrong order',
    ): Promise<AppliedReply & { restored: RestoredAllocation[] }> => {
      const reply = await call('POST', `/api/bank/allocations/${allocationId}/undo`, { reason })
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json()
    },
    refuseUndo: async (allocationId: string) =>
      refusal(await call('POST', `/api/bank/allocations/${allocationId}/undo`, { reason: 'x' })),
    events: ({ orderNumber }: { orderNumber: string }) =>
      server.sql<{ type: string; version: number; payload: Record<string, unknown> }>(
        'SELECT type, version, payload FROM platform_events WHERE entity_id = $1 ORDER BY id',
        [orderNumber],
      ),
    audits: ({ id }: { id: string }) =>
      server.sql<{ action: string; details: Record<string, unknown> }>(
        `SELECT action, details FROM audit_log WHERE target_type = 'bank_line' AND target_id = $1 ORDER BY id`,
        [id],
      ),
  }
}

/** The allocation that pays an order. */
export const payOrder = ({ id: orderId }: { id: string }, amount: string) => ({ purpose: 'order', orderId, amount })
