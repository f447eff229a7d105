import { expect, test } from 'vitest'
import { specimenIban } from '#test/support/bank-files.ts'
import { readGuessed } from '#test/support/csv-table.ts'
import { guessProfile } from './csv-profile.ts'

const [ana, hosting] = ['DE04100500003000222301', 'DE10200411110300333401']
const moved = ['2026-11-17 +1500.00', '2026-11-18 -42.10']

const files: [what: string, rows: string[], expected: Partial<Awaited<ReturnType<typeof readGuessed>>>][] = [
  [
    'an en dash as minus and blanks in an amount',
    ['Date;Text;Amount', '17.11.2026;A;1 500,00', '18.11.2026;B;–42,10'],
    { lines: moved },
  ],
  [
    'brackets, and letters for credit and debit behind the amount',
    ['Date,Description,Amount', '17/11/2026,A,1500.00 CRD', '18/11/2026,B,42.10 DEB', '19/11/2026,C,($7.00)'],
    { lines: moved, said: ['row 4: the currency is $, that of the account is EUR'] },
  ],
  [
    'an amount in another currency than that of the account',
    ['Date,Description,Amount', '17/11/2026,A,1500.00 USD', '18/11/2026,B,-42.10 EUR'],
    { lines: [moved[1]!], said: ['row 2: the currency is USD, that of the account is EUR'] },
  ],
  [
    'a row that is not booked yet',
    [
      'Buchungsdatum;Wertstellung;Status;Zahlungspflichtige*r;Verwendungszweck;IBAN;Betrag (€)',
      '19.11.26;;Vorgemerkt;Bo Nilsson;ORD-2;DE10200411110300333401;700',
      `18.11.26;18.11.26;Gebucht;Hosting Ltd;7;${hosting};-42,1`,
      `17.11.26;17.11.26;Gebucht;Ana Lima;ORD-1;${ana};1.500`,
    ],
    {
      lines: moved.toReversed(),
      names: [`Hosting Ltd ${hosting}`, `Ana Lima ${ana}`],
      said: ['Left out, since they are not booked: 1 "Vorgemerkt"'],
    },
  ],
  [
    'states in a column of remarks',
    ['Datum;Text;Betrag;Info', '17.11.2026;A;1500,00;Umsatz gebucht', '18.11.2026;B;-7,00;Umsatz vorgemerkt'],
    { lines: [moved[0]!] },
  ],
  [
    'a state that nobody has explained',
    ['Date;Text;Amount;Status', '17.11.2026;A;1500,00;Klar', '18.11.2026;B;-7,00;'],
    {
      lines: [],
      questions: ['states'],
      said: [
        'row 2: "Klar" does not say whether the row is booked',
        'row 3: "" does not say whether the row is booked',
      ],
    },
  ],
  [
    'gross, fee and net',
    [
      '"Date","Name","Status","Currency","Gross","Fee","Net","Transaction ID","Balance"',
      '"17/11/2026","Ana Lima","Completed","EUR","1.500,00","-37,70","1.462,30","5AB1","2.462,30"',
      '"18/11/2026","Hosting Ltd","Completed","EUR","-42,10","0,00","-42,10","5AB2","2.420,20"',
      '"19/11/2026","Bo Nilsson","Pending","EUR","700,00","0,00","700,00","5AB3",""',
    ],
    { lines: ['2026-11-17 +1462.30', moved[1]!], balances: '1000.00 2420.20', names: ['Ana Lima', 'Hosting Ltd'] },
  ],
  [
    'a fee on top of the amount, as the balances prove',
    [
      'Type,Completed Date,Description,Amount,Fee,Currency,State,Balance',
      'TOPUP,2026-11-17 09:12:34,Ana Lima ORD-1,1500.00,0.00,EUR,COMPLETED,2500.00',
      'TRANSFER,2026-11-18 10:00:01,Hosting 7,-42.10,0.50,EUR,COMPLETED,2457.40',
    ],
    { lines: [moved[0]!, '2026-11-18 -42.60'], balances: '1000.00 2457.40' },
  ],
  [
    'a fee in the amount, as the balances prove',
    [
      'Completed Date,Description,Amount,Fee,Currency,Balance',
      '2026-11-17,Ana Lima ORD-1,1500.00,0.00,EUR,2500.00',
      '2026-11-18,Hosting 7,-42.10,0.50,EUR,2457.90',
    ],
    { lines: moved, balances: '1000.00 2457.90', questions: [] },
  ],
  [
    'a fee of which no balance tells',
    ['Date,Description,Amount,Fee,Currency', '2026-11-18,Hosting 7,-42.10,0.50,EUR'],
    { questions: ['columns'] },
  ],
  [
    'a column of balances that contradicts',
    ['Date;Text;Amount;Balance', '17.11.2026;A;1500,00;2500,00', '18.11.2026;B;-42,10;2400,00'],
    { lines: moved, balances: '', said: ['row 3: the balance 2400.00 does not follow from the amounts of the rows'] },
  ],
  [
    'a first row that is a balance without an amount',
    [
      'Description,,Summary Amt.',
      'Total credits,,"1,500.00"',
      '',
      'Date,Description,Amount,Running Bal.',
      '11/01/2026,Beginning balance as of 11/01/2026,,"1,000.00"',
      '11/17/2026,ANA LIMA ORD-1,"1,500.00","2,500.00"',
      '11/18/2026,HOSTING LTD 7,-42.10,"2,457.90"',
    ],
    { lines: moved, balances: '1000.00 2457.90', said: [] },
  ],
  [
    'rows of the opening and the closing balance',
    [
      'Buchungstag;Empfänger/Zahlungspflichtiger;Verwendungszweck;Umsatz; ',
      '18.11.2026;Hosting Ltd;7;42,10;S',
      '17.11.2026;Ana Lima;ORD-1;1.500,00;H',
      '01.11.2026;;Anfangssaldo;1.000,00;H',
      '20.11.2026;;Endsaldo;2.457,90;H',
    ],
    { lines: moved.toReversed(), balances: '1000.00 2457.90', said: [] },
  ],
  [
    'a row that may be a balance or a payment with such a text',
    ['Datum;Text;Betrag', '17.11.2026;Saldo anterior;100,00', '18.11.2026;B;-42,10'],
    {
      lines: [moved[1]!],
      said: ['row 2: "Saldo anterior" may be a balance or a payment, and the other rows do not tell'],
    },
  ],
  [
    'a payer who writes the words of a balance',
    ['Datum;Name;Text;Betrag', '17.11.2026;Ana Lima;Saldo anterior;1500,00', '18.11.2026;B;x;-42,10'],
    { lines: moved },
  ],
  [
    'a long head above two rows',
    [
      'Umsatzanzeige;Datei erstellt am: 20.11.2026 10:11',
      '',
      `IBAN;${specimenIban}`,
      'Kontoname;Girokonto',
      'Bank;Example',
      'Kunde;Example Park',
      'Zeitraum;01.11.2026 - 20.11.2026',
      'Saldo;2.457,90;EUR',
      '',
      'Sortierung;Datum absteigend',
      '',
      'Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung',
      '18.11.2026;18.11.2026;Hosting Ltd;Lastschrift;7;2.457,90;EUR;-42,10;EUR',
      '17.11.2026;17.11.2026;Ana Lima;Gutschrift;ORD-1;2.500,00;EUR;1.500,00;EUR',
    ],
    { lines: moved.toReversed(), balances: '1000.00 2457.90', names: ['Hosting Ltd', 'Ana Lima'] },
  ],
  [
    'a last row that repeats the balance',
    [
      `Conta ;${specimenIban}`,
      'Data mov. ;Data valor ;Descrição ;Débito ;Crédito ;Saldo contabilístico ;Categoria ;',
      '18-11-2026;18-11-2026;HOSTING 7 ;42,10;;2.457,90;Diversos ;',
      '17-11-2026;17-11-2026;TFI ANA LIMA ORD-1 ;;1.500,00;2.500,00;Diversos ;',
      ' ; ; ; ;Saldo contabilístico ;2.457,90 EUR ; ;',
    ],
    { lines: moved.toReversed(), balances: '1000.00 2457.90', said: [] },
  ],
  [
    'texts in several rows of a cell',
    [
      'Date;Libellé;Débit euros;Crédit euros;',
      '18/11/2026;"PRELEVEMENT\nHOSTING SARL";42,10;;',
      '17/11/2026;"VIREMENT EN VOTRE FAVEUR\nANA LIMA\nORD-1";;1\u00A0500,00;',
    ],
    { lines: moved.toReversed(), questions: [] },
  ],
  [
    'the account of the payer under a heading that elsewhere is a name',
    [
      '"Date";"Name / Description";"Account";"Counterparty";"Debit/credit";"Amount (EUR)";"Notifications";"Resulting balance"',
      `"20261118";"Hosting Ltd";"${specimenIban}";"${hosting}";"Debit";"42,10";"Description: 7";"2457,90"`,
      `"20261117";"Ana Lima";"${specimenIban}";"${ana}";"Credit";"1500,00";"Description: ORD-1";"2500,00"`,
    ],
    { lines: moved.toReversed(), names: [`Hosting Ltd ${hosting}`, `Ana Lima ${ana}`], balances: '1000.00 2457.90' },
  ],
  [
    'amounts that include the fee in another column',
    [
      'Date started (UTC),Date completed (UTC),ID,State,Description,Reference,Payment currency,Amount,Total amount,Fee,Balance',
      '2026-11-17,2026-11-17,1,COMPLETED,From ANA LIMA,ORD-1,EUR,1500.00,1500.00,0.00,2500.00',
      '2026-11-18,2026-11-18,2,COMPLETED,To Hosting Ltd,7,EUR,-42.10,-42.30,0.20,2457.70',
      '2026-11-19,,3,PENDING,From BO NILSSON,ORD-2,EUR,700.00,700.00,0.00,',
    ],
    { lines: [moved[0]!, '2026-11-18 -42.30'], balances: '1000.00 2457.70' },
  ],
  [
    'an empty column of amounts beside those of money out and in',
    [
      'Datum;Text;Betrag;Soll;Haben',
      '17.11.2026;ORD-1;;;1.500,00',
      '18.11.2026;B;;-42,10;',
      'Kontostand;20.11.2026;;;',
    ],
    { lines: moved, questions: [], said: [] },
  ],
  [
    'money that went out to a member',
    [
      'Datum;Naam;Omschrijving;Bedrag;D/C',
      '18-11-2026;Ana Lima;Terugbetaling ORD-1;42,10;Debet',
      '17-11-2026;B;x;1500,00;Credit',
    ],
    { lines: moved.toReversed() },
  ],
]

test.each(files)('%s is read right', async (_what, rows, expected) => {
  expect(await readGuessed(rows)).toMatchObject(expected)
})

test.each([
  [
    'Swedish',
    'Bokföringsdag;Belopp;Avsändare;Meddelande;Saldo',
    { bookedOn: 0, amount: 1, name: 2, remittance: 3, balance: 4 },
  ],
  ['Norwegian', 'Bokføringsdato;Inn;Ut;Avsender;Melding', { bookedOn: 0, credit: 1, debit: 2, name: 3, remittance: 4 }],
  [
    'Finnish',
    'Kirjauspäivä;Määrä;Maksaja;Viesti;Viite',
    { bookedOn: 0, amount: 1, name: 2, remittance: 3, endToEnd: 4 },
  ],
  [
    'Czech',
    'Datum zaúčtování;Částka;Název protiúčtu;Zpráva pro příjemce',
    { bookedOn: 0, amount: 1, name: 2, remittance: 3 },
  ],
])('headings in %s are known', (_language, headings, columns) => {
  const row = '17.11.2026;5,00;-6,00;Ana Lima;7'
  expect(guessProfile(Buffer.from(`${headings}\n${row}\n`)).profile.columns).toMatchObject(columns)
})
