import { mod97 } from '#contract/iban.ts'
import { toSepaText } from '#demo/platform/bank/sepa-text.ts'
import type { Random } from '#demo/platform/random.ts'
import { makeDigits, pickWeighted } from './draw.ts'

/** An invented person. The bank knows the name as on the document, or in Latin letters where it is in another script. */
export interface Payer {
  country: Country
  firstName: string
  lastName: string
  bankFirst: string
  bankLast: string
  /** As its owner writes it. */
  ownName: string
}

/** First names, a bar, family names; blanks separate names, `_` is a blank inside a name, `=` is before its Latin form. */
const nameLists = {
  PT: 'Ana João Maria Rui Inês Tiago Beatriz Nuno Sofia Gonçalo | Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Sousa Gonçalves da_Silva_Pinto dos_Reis',
  DE: 'Jürgen Sabine Björn Heike Günter Katrin Lukas Anneliese Sören Uwe | Müller Schröder Weiß Köhler Schäfer von_Bülow Krüger Böhm Vogel Lorenz Schwarzenberger',
  NL: 'Jan Pieter Anneke Sanne Bram Lotte Maarten Femke Joost Wim | de_Vries van_den_Berg Jansen Bakker Visser van_Dijk Smit Mulder ter_Horst de_Groot',
  FR: 'Émilie François Hélène Jérôme Chloé Thierry Maëlle Benoît | Lefèvre Dupont Moreau Gauthier Le_Gall Béranger Fournier Chevalier',
  ES: 'María José Lucía Íñigo Begoña Álvaro Nuria Sergio | García_López Núñez_Castro Martínez_Ruiz Ibáñez_Gil Muñoz_Vega Romero_Díaz',
  IT: 'Giulia Marco Chiara Niccolò Francesca Davide | Rossi Bianchi De_Luca D’Angelo Esposito Conti',
  PL: 'Łukasz Małgorzata Paweł Agnieszka Wojciech Żaneta | Wójcik Kowalczyk Zieliński Szymański Dąbrowska Kaźmierczak',
  TR: 'İbrahim Ayşe Çağrı Gülşen Oğuz Şebnem | Şahin Yıldız Öztürk Çelik Kılıç',
  UA: 'Юлія=Yuliia Андрій=Andrii Олена=Olena Сергій=Serhii | Коваленко=Kovalenko Шевченко=Shevchenko Бондар=Bondar Мельник=Melnyk',
  GR: 'Γιώργος=Giorgos Ελένη=Eleni Νίκος=Nikos Μαρία=Maria | Παπαδόπουλος=Papadopoulos Γεωργίου=Georgiou Νικολάου=Nikolaou Ιωάννου=Ioannou',
  KR: '민준=Min-jun 서연=Seo-yeon 지훈=Ji-hoon 하은=Ha-eun 도윤=Do-yoon | 김=Kim 이=Lee 박=Park 최=Choi 정=Jung',
  AE: 'محمد=Mohammed فاطمة=Fatima علي=Ali مريم=Maryam خالد=Khalid | حسن=Hassan المنصوري=Al_Mansoori العمري=Al_Omari صالح=Saleh',
  GB: 'Oliver Emma Harry Charlotte George Amelia | Smith Taylor O’Brien Wilson-Clarke Evans Wright',
}
type Country = keyof typeof nameLists

/** Where the members of a dataset come from. `scripts`: most names are in another script than their bank's, or the payer's is. */
const mixes = {
  usual: { PT: 18, DE: 22, NL: 14, FR: 9, ES: 9, IT: 6, PL: 6, TR: 3, UA: 4, GR: 3, GB: 6 },
  scripts: { UA: 22, GR: 22, KR: 22, AE: 22, PT: 6, DE: 6 },
} satisfies Record<string, Partial<Record<Country, number>>>
export type Mix = keyof typeof mixes
export const isMix = (text: string): text is Mix => Object.hasOwn(mixes, text)

export const companyNames = [
  'Atlantic Trading Lda',
  'Nordlicht Handels GmbH',
  'De Bruin Beheer BV',
  'Sol y Mar SL',
  'Blue Harbour Ltd',
  'Grupo Norte SA',
  'Studio Quattro SRL',
]
export const supplierNames = [
  'Stadtwerke Rosenau',
  'Amt fuer Statistik',
  'Insurance Direct plc',
  'EDP Comercial',
  'Paymill Settlement',
  'Booking Refunds BV',
  'Finanzamt Mitte',
  'Kantoor Centraal BV',
]

const splitList = (list: string) => list.trim().split(' ')

/** A name as its owner writes it, and as the bank does. */
function pickName(random: Random, list: string) {
  const [own = '', bank = own] = random.pick(splitList(list)).replaceAll('_', ' ').split('=')
  return { own, bank }
}

/** Whether the family name comes first, without a blank. */
const isBefore = (country: Country) => country === 'KR'

export function makePayer(random: Random, mix: Mix = 'usual'): Payer {
  const country = pickWeighted<Country>(random, mixes[mix])
  const [firstNames = '', lastNames = ''] = nameLists[country].split('|')
  const first = pickName(random, firstNames)
  const second = random.chance(0.15) ? pickName(random, firstNames) : null
  const last = pickName(random, lastNames)
  // Some platforms have the name as in the passport.
  const isLatin = mix === 'scripts' && random.chance(0.5)
  return {
    country,
    firstName: isLatin ? first.bank : second ? `${first.own} ${second.own}` : first.own,
    lastName: isLatin ? last.bank : last.own,
    ownName: isBefore(country) ? `${last.own}${first.own}` : `${first.own} ${last.own}`,
    bankFirst: second ? `${first.bank} ${second.bank}` : first.bank,
    bankLast: last.bank,
  }
}

const digitCounts: Partial<Record<Country, number>> = { PT: 21, DE: 18, ES: 20, PL: 24, GR: 23 }
const digitCountsOfMadeUpBanks: Partial<Record<Country, number>> = { NL: 10, GB: 14 }

/** A well-formed IBAN of a made-up bank. For countries of other forms it is a German one. */
export function makeIban(random: Random, country: Country): string {
  const madeUp = digitCountsOfMadeUpBanks[country]
  const land = madeUp || digitCounts[country] ? country : 'DE'
  const bban = madeUp ? `XXBK${makeDigits(random, madeUp)}` : makeDigits(random, digitCounts[country] ?? 18)
  return `${land}${String(98 - mod97(`${bban}${land}00`)).padStart(2, '0')}${bban}`
}

export const toSepaName = ({ bankFirst, bankLast }: Payer): string => toSepaText(`${bankFirst} ${bankLast}`, false)

/** A person's name as a statement has it. */
export function makeBankName(random: Random, { bankFirst, bankLast, country }: Payer): string {
  const isGerman = country === 'DE' && random.chance(0.7)
  const [first, last] = [toSepaText(bankFirst, isGerman), toSepaText(bankLast, isGerman)]
  const initials = splitList(first).map((name) => `${name[0]}.`)
  const forms = {
    plain: () => `${first} ${last}`,
    upper: () => `${first} ${last}`.toUpperCase(),
    reversed: () => `${last} ${first}`.toUpperCase(),
    comma: () => `${last}, ${first}`,
    title: () => `${random.pick(['Herr', 'Frau', 'Dr.', 'Sr.', 'Mr', 'Dhr'])} ${first} ${last}`,
    middle: () => `${first} ${random.pick(['Maria', 'Luis', 'K.', 'Anton'])} ${last}`,
    initial: () => {
      if (random.chance(0.5)) return `${initials.join('')} ${last}`
      return `${initials.join('').replaceAll('.', '')} ${last}`.toUpperCase()
    },
  }
  const shares = {
    plain: 55,
    upper: 18,
    reversed: 10,
    comma: 5,
    title: 5,
    middle: 5,
    initial: country === 'NL' ? 25 : 4,
  }
  return forms[pickWeighted(random, shares)]()
}
