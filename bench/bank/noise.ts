import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { countDays, dayAt, makeDigits, pickWeighted } from './draw.ts'
import { companyNames, makeBankName, makeIban, makePayer, supplierNames, toSepaName } from './people.ts'
import { type Payment, type PaymentKind, PaymentMaker, toAllocation } from './payments.ts'
import { garbleNumber, spellNumber, writeText, writeUnnamedText, writeUnrelatedText } from './texts.ts'
import { type BenchDataset, expiredCount } from './dataset.ts'

/** How many of a thousand lines are of each kind. */
const counts: Record<PaymentKind, number> = {
  clean: 470,
  missing: 120,
  garbled: 80,
  merged: 30,
  split: 30,
  under: 20,
  over: 15,
  wrongCurrency: 5,
  thirdParty: 50,
  duplicate: 10,
  late: expiredCount,
  unrelated: 80,
  debit: 30,
  fee: 20,
  reversal: 10,
}
const euro = 100_000n

/** About a thousand movements, as they come to a platform. */
export function makePayments(dataset: BenchDataset): Payment[] {
  const maker = new PaymentMaker(dataset)
  const repeat = (kind: PaymentKind, make: (maker: PaymentMaker) => void) => {
    for (let n = 0; n < counts[kind]; n++) make(maker)
  }
  repeat('merged', payTogether)
  repeat('clean', () => maker.pay('clean', [maker.takeOrder()]))
  repeat('missing', payUnnamed)
  repeat('garbled', payGarbled)
  for (let n = 0; n < counts.split; n += 2) payInParts(maker)
  repeat('under', payLess)
  repeat('over', payMore)
  repeat('wrongCurrency', () => {
    const order = maker.takeOrder()
    maker.pay('wrongCurrency', [order], {
      currency: order.currency === 'EUR' ? maker.random.pick(['CHF', 'GBP']) : 'EUR',
    })
  })
  repeat('thirdParty', payForAnother)
  const clean = maker.random.shuffled(maker.payments.filter(({ kind }) => kind === 'clean'))
  for (const payment of clean.slice(0, counts.duplicate)) payAgain(maker, payment)
  for (const order of maker.orders.filter(({ status }) => status === 'expired'))
    maker.pay('late', [order], { bookedOn: dayAt(maker.random.whole(-9, -1)) })
  repeat('unrelated', addUnrelated)
  repeat('debit', addExpense)
  repeat('fee', addFee)
  for (const payment of clean.slice(-counts.reversal)) takeBack(maker, payment)
  return maker.payments
}

function payTogether(maker: PaymentMaker) {
  const { random } = maker
  const orders = maker.takeOrdersOfOneMember(random.chance(0.75) ? 2 : 3) ?? maker.takeOrdersOfOneMember(2)
  const first = orders?.[0]
  if (!first) return
  const member = maker.getMember(first)
  const all = orders.map(({ orderNumber }) => orderNumber).join(random.pick([' + ', ', ', ' / ', ' und ', ' e ']))
  const texts = {
    all: () => writeText(random, all, first.projectName, member),
    one: () => writeText(random, spellNumber(random, first.orderNumber), first.projectName, member),
    none: () => writeUnnamedText(random, first.projectName, member),
  }
  const text = texts[pickWeighted(random, { all: 50, one: 25, none: 25 })]()
  maker.pay('merged', orders, { text, rf: null, endToEndId: null })
}

function payUnnamed(maker: PaymentMaker) {
  const order = maker.takeOrder()
  const text = writeUnnamedText(maker.random, order.projectName, maker.getMember(order))
  const endToEndId = maker.random.chance(0.2) ? makeDigits(maker.random, 12) : null
  maker.pay('missing', [order], { text, rf: null, endToEndId })
}

function payGarbled(maker: PaymentMaker) {
  const { random } = maker
  const order = maker.takeOrder()
  const once = garbleNumber(random, order.orderNumber)
  const number = random.chance(0.15) && once.includes('-') ? garbleNumber(random, once) : once
  const text = writeText(random, number, order.projectName, maker.getMember(order))
  maker.pay('garbled', [order], { text, rf: null, endToEndId: null })
}

function payInParts(maker: PaymentMaker) {
  const order = maker.takeOrder()
  const total = toUnits(order.investmentAmount)
  const part = ((total * BigInt(maker.random.pick([30, 40, 50, 60]))) / 100n / euro) * euro
  const amount = fromUnits(part)
  const rest = fromUnits(total - part)
  const first = maker.pay('split', [order], { amount, rf: null, truth: [toAllocation(order, amount)] })
  const bookedOn = dayAt(Math.min(-1, countDays(first.bookedOn) + 1))
  maker.payments.push({ ...first, bookedOn, amount: rest, endToEndId: null, truth: [toAllocation(order, rest)] })
}

function payLess(maker: PaymentMaker) {
  const order = maker.takeOrder()
  const total = toUnits(order.investmentAmount)
  const isFee = maker.random.chance(0.5)
  const less = isFee ? BigInt(maker.random.pick([5, 8, 12, 15, 25])) * euro : (total / 10n / 1000n) * 1000n
  const amount = fromUnits(total - less)
  maker.pay('under', [order], { amount, truth: [toAllocation(order, amount)] })
}

function payMore(maker: PaymentMaker) {
  const order = maker.takeOrder()
  const more = BigInt(maker.random.pick([1, 5, 10, 50, 100])) * euro
  maker.pay('over', [order], { amount: fromUnits(toUnits(order.investmentAmount) + more) })
}

function payForAnother(maker: PaymentMaker) {
  const { random } = maker
  const order = maker.takeOrder()
  const member = maker.getMember(order)
  const who = pickWeighted(random, { family: 40, company: 30, stranger: 20, member: 10 })
  const otherMember = random.pick(maker.members.filter((each) => each !== member))
  const person = who === 'member' ? otherMember : makePayer(random, maker.mix)
  const other =
    who === 'family'
      ? { ...person, country: member.country, lastName: member.lastName, bankLast: member.bankLast }
      : person
  const name = who === 'company' ? random.pick(companyNames) : makeBankName(random, other)
  const iban = who === 'member' ? otherMember.iban : makeIban(random, other.country)
  // By chance the other bears the member's name.
  const isSameName = who !== 'company' && toSepaName(other) === toSepaName(member)
  maker.pay(isSameName ? 'clean' : 'thirdParty', [order], { payer: { name, iban } })
}

function payAgain(maker: PaymentMaker, payment: Payment) {
  const bookedOn = dayAt(Math.min(0, countDays(payment.bookedOn) + maker.random.whole(1, 3)))
  maker.payments.push({ ...payment, kind: 'duplicate', bookedOn, endToEndId: null })
}

const drawCents = ({ random }: PaymentMaker, low: number, high: number) =>
  `${random.whole(low, high)}.${String(random.whole(0, 99)).padStart(2, '0')}`

/** A movement that pays no order. */
function addOther(maker: PaymentMaker, kind: PaymentKind, changes: Partial<Payment>) {
  maker.payments.push({
    kind,
    bookedOn: dayAt(maker.random.whole(-10, -1)),
    direction: 'debit',
    isReversal: false,
    amount: '0.00',
    currency: 'EUR',
    payer: { name: maker.random.pick(supplierNames), iban: makeIban(maker.random, 'DE') },
    text: '',
    rf: null,
    endToEndId: null,
    truth: [],
    ...changes,
  })
}

function addUnrelated(maker: PaymentMaker) {
  const { random } = maker
  const pickOrder = () => random.pick(maker.orders)
  // Some have an amount by chance that an order waits for, or digits of an order's number.
  const equal = random.chance(0.25) ? maker.pickUnpaidOrder() : random.chance(0.3) ? pickOrder() : null
  const digits = random.chance(0.1) ? pickOrder().orderNumber.slice(-5) : makeDigits(random, 5)
  const supplier = random.pick(supplierNames)
  addOther(maker, 'unrelated', {
    direction: 'credit',
    amount: equal?.investmentAmount ?? drawCents(maker, 5, 6000),
    currency: equal?.currency ?? 'EUR',
    payer: {
      name: random.chance(0.7) ? supplier : makeBankName(random, makePayer(random, maker.mix)),
      iban: makeIban(random, 'DE'),
    },
    text: writeUnrelatedText(random, digits),
    endToEndId: random.chance(0.5) ? makeDigits(random, 10) : null,
  })
}

function addExpense(maker: PaymentMaker) {
  const text = maker.random.pick(['Payout', 'Invoice settlement', `Rechnung ${makeDigits(maker.random, 6)}`, 'Salario'])
  addOther(maker, 'debit', { amount: drawCents(maker, 20, 9000), text })
}

function addFee(maker: PaymentMaker) {
  const text = maker.random.pick(['Kontofuehrung', 'Bank charges', 'Comissao de manutencao', 'Entgelt'])
  addOther(maker, 'fee', { amount: drawCents(maker, 1, 40), payer: { name: null, iban: null }, text })
}

function takeBack(maker: PaymentMaker, payment: Payment) {
  const text = `RETOURE ${payment.text}`.slice(0, 140)
  maker.payments.push({ ...payment, kind: 'reversal', direction: 'debit', isReversal: true, bookedOn: dayAt(0), text })
}
