import { camtEntry, camtFile } from './bank-files.ts'
import { createBankCaller } from './bank.ts'
import type { TestServer } from './server.ts'

interface Payment {
  amount?: string
  text?: string
  payer?: string
  iban?: string
  endToEnd?: string
  /** YYYY-MM-DD. */
  day?: string
  direction?: 'CRDT' | 'DBIT'
}

const today = () => new Date().toISOString().slice(0, 10)

/** An entry of a camt file: 100.00 EUR, booked today if nothing else is said. */
function writePayment(payment: Payment): string {
  const {
    amount = '100.00',
    text = '',
    payer = '',
    iban = '',
    endToEnd = '',
    direction = 'CRDT',
    day = today(),
  } = payment
  const role = direction === 'CRDT' ? 'Dbtr' : 'Cdtr'
  const parties =
    `<RltdPties><${role}><Pty><Nm>${payer}</Nm></Pty></${role}>` +
    `${iban && `<${role}Acct><Id><IBAN>${iban}</IBAN></Id></${role}Acct>`}</RltdPties>`
  const refs = endToEnd && `<Refs><EndToEndId>${endToEnd}</EndToEndId></Refs>`
  const details = `<NtryDtls><TxDtls>${refs}${parties}<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>`
  return camtEntry(amount, direction, details).replace('2026-11-03', day)
}

/** Imports payments into the account of the specimen IBAN, which has to be there. Answers their line ids, in order. */
export async function importPayments(server: TestServer, ...payments: Payment[]): Promise<string[]> {
  await createBankCaller(server).importFile(camtFile(payments.map(writePayment).join('')))
  const rows = await server.sql<{ id: string }>(
    'SELECT id::text FROM bank_lines WHERE statement_id = (SELECT max(id) FROM bank_statements) ORDER BY position',
  )
  return rows.map(({ id }) => id)
}
