import { parseIban } from '#server/lib/iban.ts'
import { type Counterparty, type StatementLine, type StructuredReference, emptyCounterparty } from './statement.ts'
import { given, givenAccount, isFilled } from './text.ts'
import { childAt, childrenAt, moneyOf, noAmount, textAt, type Money, type XmlNode } from './xml.ts'

/** What a line takes over from its transaction as it is. */
type PaymentFields = Pick<
  StatementLine,
  | 'bankReference'
  | 'endToEndId'
  | 'uetr'
  | 'mandateId'
  | 'structured'
  | 'remittance'
  | 'info'
  | 'code'
  | 'returnReason'
  | 'charges'
  | 'warnings'
>

/** One transaction of an entry. */
export interface Transaction {
  carried: PaymentFields
  /** Its amounts as stated: its own, that of the booking, that which was sent. */
  amounts: Money[]
  /** Null where it goes in the direction of its entry. */
  direction: StatementLine['direction'] | null
  debtor: Counterparty
  creditor: Counterparty
}

/** An entry without details stands for one transaction of which nothing more is known. */
export const emptyTransaction = (): Transaction => ({
  amounts: [],
  direction: null,
  debtor: emptyCounterparty(),
  creditor: emptyCounterparty(),
  carried: {
    bankReference: null,
    endToEndId: null,
    uetr: null,
    mandateId: null,
    structured: [],
    remittance: [],
    info: [],
    code: null,
    returnReason: null,
    charges: [],
    warnings: [],
  },
})

/** "PMNT/RCDT/ESCT" of the ISO code, else the bank's own code. */
export const readBankCode = (node: XmlNode | undefined): string | null =>
  [textAt(node, 'Domn/Cd'), textAt(node, 'Domn/Fmly/Cd'), textAt(node, 'Domn/Fmly/SubFmlyCd')]
    .filter(isFilled)
    .join('/') || textAt(node, 'Prtry/Cd')

function readAmounts(node: XmlNode, warnings: string[]): Money[] {
  const written = [
    childAt(node, 'Amt'),
    childAt(node, 'AmtDtls', 'TxAmt', 'Amt'),
    childAt(node, 'AmtDtls', 'InstdAmt', 'Amt'),
  ]
  return written.flatMap((amount) => {
    const money = moneyOf(amount)
    if (amount && !money) warnings.push(noAmount(amount))
    return money ?? []
  })
}

/** Names of parties: directly until version .07, within `Pty` or `Agt` from .08 on. */
function readParty(node: XmlNode, role: 'Dbtr' | 'Cdtr'): Counterparty {
  const parties = childAt(node, 'RltdPties')
  const nameOf = (tag: string) => textAt(parties, `${tag}/Nm`, `${tag}/Pty/Nm`, `${tag}/Agt/FinInstnId/Nm`)
  const account = childAt(parties, `${role}Acct`, 'Id')
  const written = textAt(account, 'IBAN')
  const iban = written && parseIban(written)
  return {
    ...emptyCounterparty(),
    name: nameOf(role),
    ultimate: nameOf(`Ultmt${role}`),
    iban,
    account: givenAccount(textAt(account, 'Othr/Id', 'PrtryAcct/Id', 'BBAN') ?? (iban ? null : written)),
    bic: textAt(childAt(node, 'RltdAgts', `${role}Agt`, 'FinInstnId'), 'BICFI', 'BIC'),
  }
}

function readStructured(node: XmlNode): StructuredReference[] {
  const reference = textAt(node, 'CdtrRefInf/Ref', 'CdtrRefInf/CdtrRef')
  const scheme = textAt(
    node,
    'CdtrRefInf/Tp/CdOrPrtry/Cd',
    'CdtrRefInf/Tp/CdOrPrtry/Prtry',
    'CdtrRefInf/CdtrRefTp/Cd',
    'CdtrRefInf/CdtrRefTp/Prtry',
  )
  const document = textAt(node, 'RfrdDocInf/Nb', 'RfrdDocInf/RfrdDocNb')
  const found: StructuredReference[] = []
  if (reference) found.push({ scheme, reference })
  if (document) found.push({ scheme: 'DOC', reference: document })
  return found
}

function readPaymentFields(node: XmlNode, warnings: string[]): PaymentFields {
  const references = childAt(node, 'Refs')
  const remittance = childAt(node, 'RmtInf')
  const structured = childrenAt(remittance, 'Strd')
  const texts = [...childrenAt(remittance, 'Ustrd'), ...structured.flatMap((each) => childrenAt(each, 'AddtlRmtInf'))]
  const charges = [...childrenAt(childAt(node, 'Chrgs'), 'Rcrd'), ...childrenAt(node, 'Chrgs')]
  return {
    bankReference: textAt(references, 'AcctSvcrRef'),
    endToEndId: textAt(references, 'EndToEndId'),
    uetr: textAt(references, 'UETR')?.toLowerCase() ?? null,
    mandateId: textAt(references, 'MndtId'),
    structured: structured.flatMap(readStructured),
    remittance: texts.map(({ text }) => given(text)).filter(isFilled),
    info: [textAt(node, 'AddtlTxInf')].filter(isFilled),
    code: readBankCode(childAt(node, 'BkTxCd')),
    returnReason: textAt(node, 'RtrInf/Rsn/Cd', 'RtrInf/Rsn/Prtry', 'RtrInf/RtrRsn/Cd'),
    charges: charges.flatMap((charge) => moneyOf(childAt(charge, 'Amt')) ?? []),
    warnings,
  }
}

export function readTransaction(node: XmlNode): Transaction {
  const warnings: string[] = []
  const indicator = textAt(node, 'CdtDbtInd')
  return {
    amounts: readAmounts(node, warnings),
    direction: indicator === null ? null : indicator === 'DBIT' ? 'debit' : 'credit',
    debtor: readParty(node, 'Dbtr'),
    creditor: readParty(node, 'Cdtr'),
    carried: readPaymentFields(node, warnings),
  }
}
