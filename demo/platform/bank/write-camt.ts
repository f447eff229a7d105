import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { isIban } from '#server/lib/iban.ts'
import {
  cutText,
  type FileSettings,
  listBalances,
  type Movement,
  readOpening,
  sortByDay,
  toSignedUnits,
  toUnsigned,
  type WrittenFile,
} from './statement-file.ts'

export interface CamtDialect {
  kind: '053' | '054'
  /** 001.02 to 001.13. From 001.08 on statuses and parties stand deeper. */
  version: string
  /** A prefix of the namespace, such as `ns2:`. */
  prefix?: string
  /** The most credits of a day that are booked as one sum. */
  largestBatch?: number
  /** Where the bank cuts the text. */
  width?: number
}

const roots = { '053': ['BkToCstmrStmt', 'Stmt'], '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'] } as const
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeText = (text: string) => text.replaceAll(/[&<>]/g, (char) => entities[char]!)

type WriteTag = (name: string, ...content: (string | string[])[]) => string

/** Leaves out tags without content. A tag may be followed by an attribute. */
const makeTagWriter =
  (prefix: string): WriteTag =>
  (name, ...content) => {
    const inner = content.flat().join('')
    const [bare] = name.split(' ')
    return inner === '' ? '' : `<${prefix}${name}>${inner}</${prefix}${bare}>`
  }

/** The credits of a day are booked together, the other payments each alone. */
function groupEntries(payments: readonly Movement[], largest: number): Movement[][] {
  const entries: Movement[][] = []
  for (const payment of payments) {
    const last = entries.at(-1)
    const first = last?.[0]
    const isCredit =
      payment.direction === 'credit' && first?.direction === 'credit' && !payment.isPending && !first.isPending
    if (last && isCredit && last.length < largest && first.bookedOn === payment.bookedOn) last.push(payment)
    else entries.push([payment])
  }
  return entries
}

export function writeCamt<M extends Movement>(
  given: readonly M[],
  settings: FileSettings,
  dialect: CamtDialect,
): WrittenFile<M> {
  const { kind, version, prefix = '' } = dialect
  const { account, currency, number = 1 } = settings
  const payments = sortByDay(given)
  const tag = makeTagWriter(prefix)
  const entries = groupEntries(payments, dialect.largestBatch ?? 1)
  const writeBalance = (code: string, value: bigint, day: string) =>
    tag(
      'Bal',
      tag('Tp', tag('CdOrPrtry', tag('Cd', code))),
      tag(`Amt Ccy="${currency}"`, toUnsigned(value)),
      tag('CdtDbtInd', value < 0n ? 'DBIT' : 'CRDT'),
      tag('Dt', tag('Dt', day)),
    )
  const balances = [
    writeBalance('OPBD', readOpening(settings), payments[0]!.bookedOn),
    writeBalance('CLBD', listBalances(payments, settings).at(-1)!, payments.at(-1)!.bookedOn),
  ]
  const [root, report] = roots[kind]
  const created = tag('CreDtTm', `${payments.at(-1)!.bookedOn}T20:00:00+01:00`)
  const statement = tag(
    report,
    tag('Id', `${account.slice(-8)}-${number}`),
    tag('ElctrncSeqNb', String(number)),
    created,
    tag(
      'Acct',
      tag('Id', isIban(account) ? tag('IBAN', account) : tag('Othr', tag('Id', account))),
      tag('Ccy', currency),
    ),
    kind === '053' ? balances : '',
    entries.map((entry, n) => writeEntry(tag, entry, n, settings, dialect)),
  )
  const body = tag(root, tag('GrpHdr', tag('MsgId', 'M1'), created), statement)
  const namespace = `urn:iso:std:iso:20022:tech:xsd:camt.${kind}.${version}`
  const xmlns = `xmlns${prefix && `:${prefix.slice(0, -1)}`}="${namespace}"`
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<${prefix}Document ${xmlns}>${body}</${prefix}Document>\n`
  return { content: Buffer.from(text), payments }
}

/** Why a kind of movement comes back: the payment was taken back by its bank, or the payee's account is closed. */
const returnReasons = new Map([
  ['reversal', 'FOCR'],
  ['return', 'AC04'],
])

const isNew = ({ version }: CamtDialect) => Number(version.slice(-2)) >= 8

function writeEntry(
  tag: WriteTag,
  payments: readonly Movement[],
  n: number,
  settings: FileSettings,
  dialect: CamtDialect,
): string {
  const first = payments[0]!
  const sum = payments.reduce((total, payment) => total + toSignedUnits(payment), 0n)
  const made = `${settings.account.slice(-6)}${settings.number ?? ''}${first.bookedOn.replaceAll('-', '')}${String(n + 1).padStart(6, '0')}`
  const count = first.sumOf ?? payments.length
  const status = first.isPending ? 'PDNG' : 'BOOK'
  const family = tag('Cd', first.direction === 'credit' ? 'RCDT' : 'ICDT')
  const subfamily = tag('SubFmlyCd', returnReasons.has(first.kind) ? 'RRTN' : 'ESCT')
  return tag(
    'Ntry',
    tag(`Amt Ccy="${settings.currency}"`, toUnsigned(sum)),
    tag('CdtDbtInd', first.direction === 'credit' ? 'CRDT' : 'DBIT'),
    first.isReversal ? tag('RvslInd', 'true') : '',
    tag('Sts', isNew(dialect) ? tag('Cd', status) : status),
    tag('BookgDt', tag('Dt', first.bookedOn)),
    tag('ValDt', tag('Dt', first.bookedOn)),
    tag('AcctSvcrRef', first.reference ?? made),
    tag('BkTxCd', tag('Domn', tag('Cd', 'PMNT'), tag('Fmly', family, subfamily))),
    tag(
      'NtryDtls',
      count > 1 ? tag('Btch', tag('NbOfTxs', String(count))) : '',
      first.sumOf === undefined
        ? payments.map((payment) => writeTransaction(tag, payment, settings, payments.length === 1, dialect))
        : '',
    ),
    first.kind === 'fee' || first.sumOf !== undefined ? tag('AddtlNtryInf', escapeText(first.text)) : '',
  )
}

/** In a reversed credit the payer is still the debtor of the payment that is taken back. */
function writeTransaction(
  tag: WriteTag,
  payment: Movement,
  { owner = 'Meridian Invest SA' }: FileSettings,
  isAlone: boolean,
  dialect: CamtDialect,
): string {
  const { payer, direction, text, rf, currency, endToEndId, isReversal } = payment
  const amount = tag(`Amt Ccy="${currency}"`, fromUnits(toUnits(payment.amount)))
  const isOld = dialect.version === '001.02'
  const reason = returnReasons.get(payment.kind)
  const [role, ownRole] = direction === 'credit' || isReversal ? ['Dbtr', 'Cdtr'] : ['Cdtr', 'Dbtr']
  const writeParty = (each: string, name: string | null) => {
    const named = tag('Nm', escapeText((name ?? '').slice(0, 70)))
    return tag(each, isNew(dialect) ? tag('Pty', named) : named)
  }
  return tag(
    'TxDtls',
    tag('Refs', tag('EndToEndId', escapeText(endToEndId ?? 'NOTPROVIDED'))),
    isOld ? tag('AmtDtls', tag('TxAmt', amount)) : amount,
    isOld || isAlone ? '' : tag('CdtDbtInd', direction === 'credit' ? 'CRDT' : 'DBIT'),
    tag(
      'RltdPties',
      writeParty(role, payer.name),
      tag(`${role}Acct`, tag('Id', tag('IBAN', payer.iban ?? ''))),
      writeParty(ownRole, owner),
    ),
    tag(
      'RmtInf',
      cutText(text, dialect.width ?? 140).map((piece) => tag('Ustrd', escapeText(piece))),
      tag('Strd', rf ? tag('CdtrRefInf', tag('Tp', tag('CdOrPrtry', tag('Cd', 'SCOR'))), tag('Ref', rf)) : ''),
    ),
    reason ? tag('RtrInf', tag('Rsn', tag('Cd', reason))) : '',
  )
}
