import { camtBalance, camtEntry, camtFile } from './bank-files.ts'

export interface StatementShape {
  number?: string
  /** Balances at the beginning and the end. */
  from?: string
  to?: string
  day?: string
  kind?: 'camt.053' | 'camt.054'
}

/** A statement of one credit, which is the balances' difference where there are balances. */
export function writeStatement(
  account: string,
  { number, from, to, day = '2026-11-03', kind = 'camt.053' }: StatementShape,
) {
  const amount = from && to ? String(Number(to) - Number(from)) : '1.00'
  const balances = from && to ? camtBalance('OPBD', from, day) + camtBalance('CLBD', to, day) : ''
  const numbered = number ? `<LglSeqNb>${number}</LglSeqNb>` : ''
  const text = `<NtryDtls><TxDtls><RmtInf><Ustrd>${number} ${day}</Ustrd></RmtInf></TxDtls></NtryDtls>`
  const entry = camtEntry(amount, 'CRDT', text).replace('2026-11-03', day)
  const shape =
    kind === 'camt.054' ? { version: '054.001.08', root: 'BkToCstmrDbtCdtNtfctn', report: 'Ntfctn' } : ({} as object)
  return camtFile(numbered + balances + entry, { iban: 'X', ...shape })
    .replace('<IBAN>X</IBAN>', `<Othr><Id>${account}</Id></Othr>`)
    .replace('<Id>1</Id>', `<Id>${number}-${day}-${from}</Id>`)
}
