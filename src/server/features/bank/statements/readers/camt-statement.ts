import type { Balance, Statement } from './statement.ts'
import { isFilled, quote } from './text.ts'
import { childAt, childrenAt, dayAt, moneyOf, textAt, type XmlNode } from './xml-node.ts'

interface CodedBalance extends Balance {
  code: string | null
}

function readBalance(node: XmlNode, warnings: string[]): CodedBalance[] {
  const amount = childAt(node, 'Amt')
  const money = moneyOf(amount)
  if (!money) {
    warnings.push(`line ${(amount ?? node).line}: ${quote(amount?.text ?? '')} is no balance`)
    return []
  }
  const code = textAt(node, 'Tp/CdOrPrtry/Cd', 'Tp/CdOrPrtry/Prtry')
  const direction = textAt(node, 'CdtDbtInd') === 'DBIT' ? 'debit' : 'credit'
  return [{ code, ...money, direction, day: dayAt(node, 'Dt', warnings) }]
}

/** The first balance in time that has one of the codes; an earlier code goes before a later one. */
function pickBalance(balances: CodedBalance[], ...codes: string[]): Balance | null {
  for (const code of codes) {
    const found = balances.find((balance) => balance.code === code)
    if (found) return { amount: found.amount, direction: found.direction, currency: found.currency, day: found.day }
  }
  return null
}

/** The name, number and currency of the account that a statement is about. */
function readAccount(report: XmlNode) {
  const account = childAt(report, 'Acct')
  const number = textAt(account, 'Id/IBAN', 'Id/Othr/Id', 'Id/PrtryAcct/Id', 'Id/BBAN', 'Id/UPIC')
  const iban = textAt(account, 'Id/IBAN')?.replace(/\s/g, '').toUpperCase()
  return {
    account: iban ?? number ?? '',
    accountName: textAt(account, 'Nm', 'Ownr/Nm'),
    currency: textAt(account, 'Ccy'),
  }
}

/** What a report says beside its entries. `account` is empty where it names none. */
export function readCamtStatement(report: XmlNode, kind: Statement['kind'], entryCurrency: string): Statement {
  const warnings: string[] = []
  const balances = childrenAt(report, 'Bal')
    .flatMap((node) => readBalance(node, warnings))
    .toSorted((a, b) => (a.day ?? '').localeCompare(b.day ?? ''))
  const { account, accountName, currency } = readAccount(report)
  return {
    kind,
    externalId: textAt(report, 'Id'),
    number: textAt(report, 'LglSeqNb', 'ElctrncSeqNb'),
    account,
    accountName,
    currency: [currency, balances[0]?.currency, entryCurrency].find(isFilled) ?? '',
    opening: pickBalance(balances, 'OPBD', 'PRCD'),
    closing: pickBalance(balances.toReversed(), 'CLBD', 'ITBD'),
    warnings,
  }
}
