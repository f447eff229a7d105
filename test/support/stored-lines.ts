import { randomUUID } from 'node:crypto'
import { bankAccounts, bankImports, bankLines, bankStatements } from '#server/db/tables/bank.ts'
import type { BankPart } from '#contract/schemas/reconciliation.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { specimenIban } from './bank-files.ts'
import type { TestServer } from './server.ts'

const today = () => new Date().toISOString().slice(0, 10)

/** The account Giro in EUR with a statement, straight into the tables, and lines of it. */
export async function createStoredLines({ services }: TestServer) {
  const { db } = services.database
  const [account] = await db
    .insert(bankAccounts)
    .values({ name: 'Giro', account: specimenIban, accountKey: specimenIban, currency: 'EUR' })
    .returning()
  const [file] = await db
    .insert(bankImports)
    .values({
      sha256: '0'.repeat(64),
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
    async makeLine(given: Partial<typeof bankLines.$inferInsert> = {}) {
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
  parts: BankPart[]
}
