import { expect } from 'vitest'
import type { BankAccount, BankLine, ImportedStatement } from '#contract/schemas/bank.ts'
import { specimenIban } from './bank-files.ts'
import type { TestServer } from './server.ts'

/** What an import answers. */
export interface ImportReply {
  import: { id: string | null; linesNew: number; linesKnown: number; unreadableCount: number }
  statements: ImportedStatement[]
  warnings: string[]
  unreadable: string[]
  knownLines: { row: number; amount: string }[]
}

/** Calls of the bank as an operator makes them. */
export function createBankCaller(server: TestServer, username = 'ada') {
  const call = server.as(username)
  const send = (content: string | Buffer, query: Record<string, string> = {}) =>
    call(
      'POST',
      `/api/bank/imports?${new URLSearchParams({ fileName: 'statement.xml', ...query })}`,
      Buffer.from(content),
      { 'content-type': 'application/octet-stream' },
    )
  return {
    call,
    /** Sends a file, whatever becomes of it. */
    send,
    async addAccount(given: object = {}): Promise<BankAccount> {
      const body = { name: 'Giro', account: specimenIban, currency: 'EUR', ...given }
      const reply = await call('POST', '/api/bank/accounts', body)
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json().account
    },
    /** Sends a file that has to be taken. */
    async importFile(content: string | Buffer, query: Record<string, string> = {}): Promise<ImportReply> {
      const reply = await send(content, query)
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json()
    },
    async accounts(): Promise<BankAccount[]> {
      return (await call('GET', '/api/bank/accounts')).json().accounts
    },
    async lines(query: Record<string, string> = {}): Promise<BankLine[]> {
      const reply = await call('GET', `/api/bank/lines?${new URLSearchParams(query)}`)
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json().lines
    },
  }
}
