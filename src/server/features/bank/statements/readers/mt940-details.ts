// The field :86:, which each country fills in its own way.
import { ibansIn, parseIban } from '#server/lib/iban.ts'
import type { StatementLine } from './statement.ts'
import { given, givenAccount, isFilled } from './text.ts'

/** The form of a text of :86: in fields: by numbers behind a sign, or by keywords between slashes. Undefined where it is plain. */
function findForm(flat: string) {
  const [start, code = '', sign = ''] = /^(\d{3})?([?~<^#>|§&])\d{2}/.exec(flat) ?? []
  if (start && (code || flat.split(sign).length > 3 || isGerman(flat))) return { code, sign }
  return slashKey.test(flat) ? 'slashes' : undefined
}

const joinRows = (value: string) => value.replaceAll('\n', '')

/** Whether a text of :86: has fields. */
export const hasFields = (value: string): boolean => findForm(joinRows(value)) !== undefined

/**
 * Takes the text of :86: apart into its line. Who paid is told only by a field that the bank fills in: once, and before what the
 * payer wrote. A keyword elsewhere may be the payer's own text, as is all of it where `isOfBank` is false.
 */
export function readDetails(line: StatementLine, value: string, isOfBank = true): void {
  const flat = joinRows(value)
  const form = findForm(flat)
  if (form === 'slashes') readSlashes(line, flat, isOfBank)
  else if (form) readSubfields(line, flat, form, isOfBank)
  else readPlain(line, value)
}

/** Two subfields or more by the numbers that German banks use, without the code before them. */
const isGerman = (flat: string) => /^(\?(00|10|2\d|3[0-4]|6[0-3])[^?]*){2,}$/.test(flat)

/** The parts behind each keyword of a text that was split at its keywords. */
function groupByKeyword(parts: string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [key = '', text = ''] = parts.slice(at, at + 2)
    const texts = found.get(key)
    if (texts) texts.push(text)
    else found.set(key, [text])
  }
  return found
}

/** "166?00TEXT?20EREF+...?21SVWZ+...?31IBAN?32NAME" (Germany) or "<20...<27NAME<38IBAN" (Poland), in pieces of 27 characters. */
function readSubfields(
  line: StatementLine,
  flat: string,
  { code, sign }: { code: string; sign: string },
  isOfBank: boolean,
) {
  const fields = flat
    .slice(code.length)
    .split(sign)
    .slice(1)
    .map((piece) => ({ key: piece.slice(0, 2), text: piece.slice(2) }))
  // The bank writes each number once and in order, whatever signs the payer's text has.
  const isInOrder = fields.every(({ key }, at) => at === 0 || key > fields[at - 1]!.key)
  const isPolish = sign !== '?' && fields.some(({ key }) => key === '38')
  const textsOf = (form: RegExp) => fields.filter(({ key }) => form.test(key)).map(({ text }) => text)
  const joined = (form: RegExp) => textsOf(form).join('')
  if (code) line.code = code
  line.info.push(...textsOf(/^00$/))
  const account = joined(isPolish ? /^38$/ : /^31$/).replace(/\s/g, '')
  setPayer(line, isOfBank && isInOrder, {
    name: (isPolish && given(joined(/^2[78]$/))) || given(joined(/^3[23]$/)),
    account,
    bic: given(joined(/^30$/)),
  })
  line.returnReason = textsOf(/^34$/).find((text) => /^9\d\d$/.test(text)) ?? null
  readKeywords(line, textsOf(isPolish ? /^2[0-6]$/ : /^(2\d|6[0-3])$/))
}

interface WrittenPayer {
  name: string | null
  account: string
  bic: string | null
}

/** Takes name and account as the payer's where the bank wrote them, and else as named in a text. */
function setPayer({ counterparty }: StatementLine, isOfBank: boolean, { name, account, bic }: WrittenPayer) {
  const iban = parseIban(account)
  if (isOfBank) Object.assign(counterparty, { name, iban, account: iban ? null : givenAccount(account), bic })
  else Object.assign(counterparty, { textName: name, textIban: iban })
}

const keywords = /(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP|RREF|DDAT|SQTP|ORCR|ORMR|SVCL)\+ ?/

const pieceLength = 27

/** "EREF+… MREF+… SVWZ+…", cut into pieces anywhere, also within a keyword. */
function readKeywords(line: StatementLine, pieces: string[]) {
  // Full pieces run on. A short one lost the blank at its end, or the bank began a new piece for the next keyword.
  const width = pieces.reduce((longest, { length }) => Math.max(longest, length), pieceLength)
  const whole = pieces
    .map((piece, at) => (at < pieces.length - 1 && piece.length < width ? `${piece} ` : piece))
    .join('')
  const [head = '', ...parts] = whole.split(keywords)
  const found = groupByKeyword(parts)
  const textOf = (key: string) =>
    found
      .get(key)
      ?.map((text) => text.trim())
      .filter(Boolean)
      .join(' ')
  line.endToEndId = given(textOf('EREF')) ?? given(textOf('KREF')) ?? line.endToEndId
  line.mandateId = given(textOf('MREF'))
  line.counterparty.ultimate = given(textOf('ABWA'))
  line.counterparty.textIban ??= parseIban(textOf('IBAN') ?? '')
  line.remittance.push(...[head.trim(), textOf('SVWZ')].filter(isFilled))
}

const slashNames =
  'TRTP|TRCD|IBAN|BIC|NAME|REMI|EREF|PREF|MARF|CSID|ORDP|BENM|CNTP|ID|ADDR|ISDT|RTRN|RREF|NRTX|PURP|ULTD|ULTC|ULTB|SVCL|' +
  'ACCW|SUBACC|OCMT|EXCH|CHGS|BSRF|ACID|UETR|TRANSACTIETYPE|DBIC'
const slashKey = new RegExp(`(?:^|/)(?:${slashNames})/`)
const slashSplit = new RegExp(`/(${slashNames})/`)

const trimSlashes = (text: string) => text.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '')

const payerKeys = ['NAME', 'IBAN', 'BIC', 'CNTP', 'ACCW']
/** What the payer writes. ING puts the payer's reference before its own /CNTP/. */
const isTextKey = (key: string, payerKey: string) => key === 'REMI' || (key === 'EREF' && payerKey !== 'CNTP')

/** Whether each keyword of the payer stands once, and before all that the payer wrote. */
function isBeforeTexts(parts: string[]): boolean {
  const keys = parts.filter((_part, at) => at % 2 === 0)
  return payerKeys.every((payerKey) => {
    const [at = -1, ...more] = keys.flatMap((key, place) => (key === payerKey ? place : []))
    return more.length === 0 && !keys.slice(0, Math.max(at, 0)).some((key) => isTextKey(key, payerKey))
  })
}

/** "/TRTP/SEPA OVERBOEKING/IBAN/…/NAME/…/REMI/…/EREF/…" (Netherlands). A value may hold slashes itself. */
function readSlashes(line: StatementLine, flat: string, isOfBank: boolean) {
  const [head = '', ...parts] = `/${flat.replace(/^\//, '')}`.split(slashSplit)
  const found = groupByKeyword(parts)
  const textOf = (key: string) => given(found.get(key)?.map(trimSlashes).join(' '))
  // Rabobank has the account in the supplement of :61:.
  const supplement = line.info.map(parseIban).find(isFilled) ?? ''
  line.info.push(...[trimSlashes(head).trim()].filter(Boolean))
  // ING: "/CNTP/IBAN/BIC/NAME/CITY/".
  const [written, bic, name] = textOf('CNTP')?.split('/') ?? [textOf('IBAN'), textOf('BIC'), textOf('NAME')]
  const account = written?.replace(/\s/g, '').toUpperCase() || textOf('ACCW')?.split(',')[0] || supplement
  // Behind another text a keyword is the payer's own.
  setPayer(line, isOfBank && trimSlashes(head).trim() === '' && isBeforeTexts(parts), {
    name: given(name),
    account,
    bic: given(bic),
  })
  line.counterparty.ultimate = textOf('ULTD')?.replace(/^\/?NAME\//, '') ?? null
  line.endToEndId = textOf('EREF') ?? line.endToEndId
  line.mandateId = textOf('MARF')
  line.uetr = textOf('UETR')?.toLowerCase() ?? null
  line.returnReason = textOf('RTRN')
  readSlashRemittance(line, textOf('REMI'))
  line.info.push(...[textOf('TRTP')].filter(isFilled))
}

function readSlashRemittance(line: StatementLine, text: string | null) {
  const [, scheme = '', reference] = /^STRD\/(?:(CUR|ISO|[A-Z]+)\/)?(.+)$/.exec(text ?? '') ?? []
  if (reference) {
    line.structured.push({ scheme: scheme === 'ISO' ? 'SCOR' : scheme || null, reference: trimSlashes(reference) })
  } else if (text) line.remittance.push(text.replace(/^USTD\/\/?/, ''))
}

const labels =
  /\b(IBAN|BIC|NAAM|NAME|OMSCHRIJVING|BETALINGSKENM\.|KENMERK|MACHTIGING|INCASSANT|REF|VON|FROM|ORDENANTE|CONCEPTO)\s?: ?/

/** Free text. Columns with labels ("NAAM: … OMSCHRIJVING: …") are taken apart. */
function readPlain(line: StatementLine, value: string) {
  const rows = value.split('\n').map((row) => row.trimEnd())
  line.counterparty.textIban = ibansIn(rows.join(' '))[0] ?? null
  const [, ...parts] = rows.join('\n').split(labels)
  const found = groupByKeyword(parts)
  const textOf = (key: string) => found.get(key)?.[0]?.replaceAll('\n', '').trim()
  const names = ['NAAM', 'NAME', 'VON', 'FROM', 'ORDENANTE'].map((key) => textOf(key))
  line.counterparty.textName = given(names.find((name) => name !== undefined))
  line.endToEndId = given(textOf('KENMERK')) ?? line.endToEndId
  const text = textOf('OMSCHRIJVING')
  line.remittance.push(...(text ? [text, textOf('BETALINGSKENM.')] : rows).filter(isFilled))
}
