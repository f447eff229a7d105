import { expect, test } from 'vitest'
import { specimenIban } from '#test/support/bank-files.ts'
import { guessTable } from '#test/support/csv-table.ts'

const known: [bank: string, layout: string, expected: Record<string, string>][] = [
  [
    'a German savings bank',
    'Auftragskonto=own;Buchungstag=day;Valutadatum=day;Buchungstext=kind;Verwendungszweck=text;Glaeubiger ID=none;Mandatsreferenz=none;' +
      'Kundenreferenz (End-to-End)=ref;Beguenstigter/Zahlungspflichtiger=name;Kontonummer/IBAN=iban;BIC (SWIFT-Code)=kind;Betrag=money;' +
      'Waehrung=currency;Info=kind',
    {
      ownAccount: 'Auftragskonto',
      bookedOn: 'Buchungstag',
      valueOn: 'Valutadatum',
      remittance: 'Verwendungszweck',
      endToEnd: 'Kundenreferenz (End-to-End)',
      name: 'Beguenstigter/Zahlungspflichtiger',
      iban: 'Kontonummer/IBAN',
      amount: 'Betrag',
      currency: 'Waehrung',
    },
  ],
  [
    'a German cooperative bank',
    'Bezeichnung Auftragskonto=kind;IBAN Auftragskonto=own;BIC Auftragskonto=kind;Bankname Auftragskonto=kind;Buchungstag=day;Valutadatum=day;' +
      'Name Zahlungsbeteiligter=name;IBAN Zahlungsbeteiligter=iban;Buchungstext=kind;Verwendungszweck=text;Betrag=money;Waehrung=currency;' +
      'Saldo nach Buchung=total;Bemerkung=none',
    {
      ownAccount: 'IBAN Auftragskonto',
      bookedOn: 'Buchungstag',
      valueOn: 'Valutadatum',
      name: 'Name Zahlungsbeteiligter',
      iban: 'IBAN Zahlungsbeteiligter',
      remittance: 'Verwendungszweck',
      amount: 'Betrag',
      currency: 'Waehrung',
      balance: 'Saldo nach Buchung',
    },
  ],
  [
    'a bank with Konto and Gegenkonto',
    'Konto=own;Datum=day;Name=name;Gegenkonto=iban;Zweck=text;Buchungstext=kind;Umsatz in EUR=money',
    {
      ownAccount: 'Konto',
      bookedOn: 'Datum',
      name: 'Name',
      iban: 'Gegenkonto',
      remittance: 'Zweck',
      amount: 'Umsatz in EUR',
    },
  ],
  [
    'a bank with a number that changes from row to row',
    'Buchung=day;Wertstellung=day;Auftraggeber/Empfänger=name;Kontonummer=iban;Buchungstext=text;Betrag (€)=money',
    {
      bookedOn: 'Buchung',
      valueOn: 'Wertstellung',
      name: 'Auftraggeber/Empfänger',
      iban: 'Kontonummer',
      remittance: 'Buchungstext',
      amount: 'Betrag (€)',
    },
  ],
  [
    'an English bank',
    'Date=day;Value Date=day;Payer Name=name;Payer Account Number=iban;Payment Reference=text;Money In=money;Money Out=money;Balance (GBP)=total',
    {
      bookedOn: 'Date',
      valueOn: 'Value Date',
      name: 'Payer Name',
      iban: 'Payer Account Number',
      remittance: 'Payment Reference',
      credit: 'Money In',
      debit: 'Money Out',
      balance: 'Balance (GBP)',
    },
  ],
  [
    'a French bank',
    'Date de comptabilisation=day;Libellé opération=text;Référence client=ref;Débit=money;Crédit=money;Date de valeur=day;Nom de la contrepartie=name;' +
      'IBAN de la contrepartie=iban;Devise=currency;Solde=total',
    {
      bookedOn: 'Date de comptabilisation',
      remittance: 'Libellé opération',
      endToEnd: 'Référence client',
      debit: 'Débit',
      credit: 'Crédit',
      valueOn: 'Date de valeur',
      name: 'Nom de la contrepartie',
      iban: 'IBAN de la contrepartie',
      currency: 'Devise',
      balance: 'Solde',
    },
  ],
  [
    'a Spanish bank',
    'Cuenta=own;Fecha operación=day;Fecha valor=day;Concepto=text;Ordenante=name;Cuenta ordenante=iban;Importe=money;Divisa=currency;Saldo=total',
    {
      ownAccount: 'Cuenta',
      bookedOn: 'Fecha operación',
      valueOn: 'Fecha valor',
      remittance: 'Concepto',
      name: 'Ordenante',
      iban: 'Cuenta ordenante',
      amount: 'Importe',
      currency: 'Divisa',
      balance: 'Saldo',
    },
  ],
  [
    'a Portuguese bank',
    'Data Mov.=day;Data Valor=day;Descrição=text;Ordenante=name;Conta Origem=iban;Valor=money;Moeda=currency;Saldo Contabilístico=total',
    {
      bookedOn: 'Data Mov.',
      valueOn: 'Data Valor',
      remittance: 'Descrição',
      name: 'Ordenante',
      iban: 'Conta Origem',
      amount: 'Valor',
      currency: 'Moeda',
      balance: 'Saldo Contabilístico',
    },
  ],
  [
    'an Italian bank',
    'Data contabile=day;Data valuta=day;Descrizione=text;Ordinante=name;IBAN ordinante=iban;Dare=money;Avere=money;Divisa=currency',
    {
      bookedOn: 'Data contabile',
      valueOn: 'Data valuta',
      remittance: 'Descrizione',
      name: 'Ordinante',
      iban: 'IBAN ordinante',
      debit: 'Dare',
      credit: 'Avere',
      currency: 'Divisa',
    },
  ],
  [
    'a Dutch bank',
    'IBAN/BBAN=own;Munt=currency;Datum=day;Rentedatum=day;Bedrag=money;Saldo na trn=total;Tegenrekening IBAN/BBAN=iban;Naam tegenpartij=name;' +
      'Transactiereferentie=ref;Betalingskenmerk=none;Omschrijving-1=text',
    {
      ownAccount: 'IBAN/BBAN',
      currency: 'Munt',
      bookedOn: 'Datum',
      valueOn: 'Rentedatum',
      amount: 'Bedrag',
      balance: 'Saldo na trn',
      iban: 'Tegenrekening IBAN/BBAN',
      name: 'Naam tegenpartij',
      bankReference: 'Transactiereferentie',
      endToEnd: 'Betalingskenmerk',
      remittance: 'Omschrijving-1',
    },
  ],
  [
    'a Belgian bank',
    'Rekeningnummer=own;Naam=kind;Munt=currency;Datum=day;Omschrijving=kind;Valuta=day;Bedrag=money;Saldo=total;' +
      'Rekeningnummer tegenpartij=iban;Naam tegenpartij=name;Gestructureerde mededeling=ref;Vrije mededeling=text',
    {
      ownAccount: 'Rekeningnummer',
      name: 'Naam tegenpartij',
      currency: 'Munt',
      bookedOn: 'Datum',
      valueOn: 'Valuta',
      amount: 'Bedrag',
      balance: 'Saldo',
      iban: 'Rekeningnummer tegenpartij',
      endToEnd: 'Gestructureerde mededeling',
      remittance: 'Vrije mededeling',
    },
  ],
  [
    'a Polish bank',
    'Data księgowania=day;Data waluty=day;Nadawca / Odbiorca=name;Rachunek źródłowy=iban;Tytułem=text;Kwota operacji=money;Waluta=currency;' +
      'Numer referencyjny=ref;Saldo po operacji=total',
    {
      bookedOn: 'Data księgowania',
      valueOn: 'Data waluty',
      name: 'Nadawca / Odbiorca',
      iban: 'Rachunek źródłowy',
      remittance: 'Tytułem',
      amount: 'Kwota operacji',
      currency: 'Waluta',
      bankReference: 'Numer referencyjny',
      balance: 'Saldo po operacji',
    },
  ],
]

test.each(known)('the columns of %s are recognised (product 6.11)', (_bank, layout, expected) => {
  const { columns, unsure } = guessTable(layout)
  expect(columns).toEqual(expected)
  expect(unsure).toEqual([])
})

const unclear: [what: string, layout: string, question: [heading: string, meanings: string]][] = [
  [
    'one account number for all rows',
    'Datum=day;Betrag=money;Name=name;Zweck=text;Konto=ref1',
    ['Konto', 'iban or ownAccount'],
  ],
  [
    'an empty column of accounts',
    'Datum=day;Betrag=money;Name=name;Zweck=text;IBAN=none',
    ['IBAN', 'iban or ownAccount'],
  ],
  [
    'an unknown column with IBANs',
    'Datum=day;Betrag=money;Name=name;Zweck=text;Tili=iban',
    ['Tili', 'iban or ownAccount'],
  ],
  [
    'a second text with numbers',
    'Datum=day;Betrag=money;Name=name;Gegenkonto=iban;Zweck=text;Buchungstext=text',
    ['Buchungstext', 'moreRemittance or endToEnd'],
  ],
  [
    'an unknown column of words where no text is',
    'Datum=day;Betrag=money;Name=name;Gegenkonto=iban;Megjegyzes=text',
    ['Megjegyzes', 'remittance or endToEnd'],
  ],
  [
    'an unknown column of words where no name is',
    'Datum=day;Betrag=money;Zweck=text;Gegenkonto=iban;Saaja=name',
    ['Saaja', 'name or endToEnd'],
  ],
]

test.each(unclear)('%s is a question (product 6.11)', (_what, layout, question) => {
  const { columns, unsure } = guessTable(layout, 'NL91ABNA0417164300')
  expect(unsure).toEqual([question])
  expect(Object.values(columns)).not.toContain(question[0])
})

test('a column with the number of the chosen account is our own', () => {
  const layout = 'Datum=day;Betrag=money;Name=name;Zweck=text;Konto=ref1'
  expect(guessTable(layout, specimenIban)).toMatchObject({ columns: { ownAccount: 'Konto' }, unsure: [] })
  expect(guessTable(layout, '0532013000')).toMatchObject({ columns: { ownAccount: 'Konto' }, unsure: [] })
})
