import { foldHeading } from './text.ts'

/** Words of a column, by what they mean. */
export type Meanings<Name extends string> = Record<Name, string[]>

/** A word without its accents, in lower case; a sign alone stays as it is, whichever dash it is. */
function foldWord(text: string): string {
  const trimmed = text.trim()
  if (/^[\p{Dash}−]$/u.test(trimmed)) return '-'
  return foldHeading(trimmed.replaceAll('_', ' ')) || trimmed
}

const split = (words: string) => words.split(' | ').map(foldWord)

/** Knows words of two opposite meanings. Those of one family are used together by some bank. */
class Vocabulary<One extends string, Other extends string> {
  readonly #names: [One, Other]
  readonly #families: Meanings<One | Other>[]

  constructor(names: [One, Other], families: [one: string, other: string][]) {
    this.#names = names
    this.#families = families.map((words) => this.#pair(split(words[0]), split(words[1])))
  }

  /**
   * What the values of a column say, where all of them belong to one family. A single letter says nothing by itself, since C is
   * credit to one bank and cargo to another: then both meanings have to be there. Undefined where that is not so.
   */
  guess(values: readonly string[]): Meanings<One | Other> | undefined {
    const words = [...new Set(values)]
    if (words.length === 0 || words.includes('')) return undefined
    const [one, other] = this.#names
    const found = this.#families.flatMap((family) => {
      const pick = (name: One | Other) => words.filter((word) => family[name].includes(foldWord(word)))
      const said = this.#pair(pick(one), pick(other))
      if (said[one].length + said[other].length < words.length) return []
      const isPair = said[one].length > 0 && said[other].length > 0
      return isPair || words.every((word) => foldWord(word).length > 1 || !/[a-z]/i.test(word)) ? [said] : []
    })
    const [first, ...others] = found
    return first && others.every((each) => each[one].join() === first[one].join()) ? first : undefined
  }

  /** What a word means beside those that were confirmed: one of them, or another word of their family. */
  find(text: string, confirmed: Meanings<One | Other>): One | Other | undefined {
    const word = foldWord(text)
    const known = (name: One | Other) => confirmed[name].map(foldWord)
    const [one, other] = this.#names
    const [ones, others] = [known(one), known(other)]
    if (ones.includes(word)) return one
    if (others.includes(word)) return other
    const said = this.guess([...ones, ...others, word])
    const agrees =
      said && ones.every((each) => said[one].includes(each)) && others.every((each) => said[other].includes(each))
    if (!agrees) return undefined
    return said[one].includes(word) ? one : other
  }

  #pair(ones: string[], others: string[]) {
    const [one, other] = this.#names
    return { [one]: ones, [other]: others } as Meanings<One | Other>
  }
}

/** The words with which banks say which way money went. */
export const directions = new Vocabulary(
  ['out', 'in'],
  [
    ['-', '+'],
    [
      'debit | dbit | dbt | deb | db | dr | d | debits | withdrawal | out | money out | paid out | outgoing | sent | debit transfer',
      'credit | crdt | crd | cdt | cr | c | credits | deposit | in | money in | paid in | incoming | received | credit transfer',
    ],
    [
      'soll | s | belastung | lastschrift | abgang | ausgang | lastschriften',
      'haben | h | gutschrift | zugang | eingang | gutschriften',
    ],
    ['af | debet | d', 'bij | credit | c'],
    ['debit | d | depense', 'credit | c | recette'],
    ['cargo | debe | debito | gasto | d', 'abono | haber | credito | ingreso | c'],
    ['debito | d | saida | saidas', 'credito | c | entrada | entradas'],
    ['addebito | dare | uscita | d', 'accredito | avere | entrata | a'],
    ['obciazenie | wn | wyplata', 'uznanie | ma | wplata'],
    ['borc | b', 'alacak | a'],
    ['debet | ut | ud | uttag', 'kredit | in | ind | insattning'],
    ['vydaj | odchozi | debet', 'prijem | prichozi | kredit'],
    ['출금', '입금'],
    ['出金 | 支払 | お支払', '入金 | 預入 | お預入'],
    ['借 | 支 | 支出 | 借方', '贷 | 貸 | 收 | 收入 | 贷方'],
  ],
)

/** The words with which banks say whether a row is booked. */
export const states = new Vocabulary(
  ['booked', 'other'],
  [
    [
      'booked | completed | complete | cleared | posted | settled | processed | executed | gebucht | umsatz gebucht | erledigt | abgeschlossen | ' +
        'verbucht | ausgefuhrt | effectue | comptabilise | execute | termine | completado | contabilizado | concluido | contabilizzato | eseguito | ' +
        'uitgevoerd | verwerkt | geboekt | zaksiegowana | zaksiegowano | rozliczona | wykonana | utfort | bokfort | udfort | bogfort | zauctovano',
      'pending | failed | declined | reverted | cancelled | canceled | denied | rejected | reserved | on hold | held | processing | in progress | authorised | ' +
        'authorized | scheduled | expired | blocked | vorgemerkt | umsatz vorgemerkt | ausstehend | storniert | abgelehnt | offen | en attente | ' +
        'en cours | non contabilizzato | refuse | annule | pendiente | rechazado | cancelado | pendente | in sospeso | annullato | gereserveerd | in behandeling | ' +
        'oczekujaca | w realizacji | odrzucona | venter | reserveret | afvist | vantande | reserverad | avventer | reservert',
    ],
  ],
)

const balanceWords = split(
  'saldo | s a l d o | saldo do dia | saldo total disponivel dia | anfangssaldo | endsaldo | anfangsbestand | endbestand | alter saldo | neuer saldo | alter kontostand | neuer kontostand | kontostand | schlusssaldo | ' +
    'opening balance | closing balance | beginning balance | ending balance | starting balance | previous balance | balance brought forward | ' +
    'balance carried forward | balance b/f | balance c/f | available balance | current balance | saldo anterior | saldo inicial | saldo final | saldo previo | ' +
    'saldo contabilistico | saldo disponivel | saldo contable | saldo disponible | solde initial | solde final | solde precedent | ancien solde | ' +
    'nouveau solde | solde crediteur | solde debiteur | saldo iniziale | saldo finale | saldo contabile | beginsaldo | eindsaldo | vorig saldo | nieuw saldo | ' +
    'saldo poczatkowe | saldo koncowe | startsaldo | slutsaldo | ingaende saldo | utgaende saldo | inngaende saldo | pocatecni zustatek | konecny zustatek',
)

const isDay = (words: string) => /^( (as of|am|vom|per|au|al|a|em|op|na dzien|zum|den))?[ \d/]*$/.test(words)

/** Whether a cell names a balance, with nothing behind it but a day: "Beginning balance as of 11/01/2026". */
export function isBalanceWord(text: string): boolean {
  const words = foldWord(text)
  return balanceWords.some((word) => `${words} `.startsWith(`${word} `) && isDay(words.slice(word.length)))
}
