import { expect, test } from 'vitest'
import { guessTable } from '#test/support/csv-table.ts'

const known: [bank: string, layout: string, expected: Record<string, string>][] = [
  [
    'an Indian bank',
    'Date=day;Narration=text;Chq./Ref.No.=ref;Value Dt=day;Withdrawal Amt.=money;Deposit Amt.=money;Closing Balance=total',
    {
      bookedOn: 'Date',
      remittance: 'Narration',
      bankReference: 'Chq./Ref.No.',
      valueOn: 'Value Dt',
      debit: 'Withdrawal Amt.',
      credit: 'Deposit Amt.',
      balance: 'Closing Balance',
    },
  ],
  [
    'an Indian bank with remarks',
    'S No.=kind;Value Date=day;Transaction Date=day;Cheque Number=none;Transaction Remarks=text;Withdrawal Amount (INR )=money;' +
      'Deposit Amount (INR )=money;Balance (INR )=total',
    {
      valueOn: 'Value Date',
      bookedOn: 'Transaction Date',
      remittance: 'Transaction Remarks',
      debit: 'Withdrawal Amount (INR )',
      credit: 'Deposit Amount (INR )',
      balance: 'Balance (INR )',
    },
  ],
  [
    'an Indian bank with debit and credit',
    'Txn Date=day;Value Date=day;Description=text;Ref No./Cheque No.=ref;Debit=money;Credit=money;Balance=total',
    {
      bookedOn: 'Txn Date',
      valueOn: 'Value Date',
      remittance: 'Description',
      bankReference: 'Ref No./Cheque No.',
      debit: 'Debit',
      credit: 'Credit',
      balance: 'Balance',
    },
  ],
  [
    'a Korean bank',
    '거래일시=day;적요=kind;보낸분/받는분=name;송금메모=text;출금액=money;입금액=money;거래후잔액=total;거래점=kind',
    {
      bookedOn: '거래일시',
      name: '보낸분/받는분',
      remittance: '송금메모',
      debit: '출금액',
      credit: '입금액',
      balance: '거래후잔액',
    },
  ],
  [
    'a Korean bank with contents',
    '거래일자=day;거래시간=kind;적요=kind;출금(원)=money;입금(원)=money;내용=text;잔액(원)=total;거래점=kind',
    { bookedOn: '거래일자', remittance: '내용', debit: '출금(원)', credit: '입금(원)', balance: '잔액(원)' },
  ],
  [
    'a Japanese bank',
    '年月日=day;お引出し=money;お預入れ=money;お取り扱い内容=text;残高=total;メモ=none;ラベル=none',
    { bookedOn: '年月日', debit: 'お引出し', credit: 'お預入れ', remittance: 'お取り扱い内容', balance: '残高' },
  ],
  [
    'a Chinese bank',
    '交易日期=day;借方发生额=money;贷方发生额=money;余额=total;币种=currency;对方户名=name;对方账号=ref;附言=text;交易流水号=ref',
    {
      bookedOn: '交易日期',
      debit: '借方发生额',
      credit: '贷方发生额',
      balance: '余额',
      currency: '币种',
      name: '对方户名',
      iban: '对方账号',
      remittance: '附言',
      bankReference: '交易流水号',
    },
  ],
]

test.each(known)('the headings of %s are known (product 6.11)', (_bank, layout, expected) => {
  const { columns, unsure } = guessTable(layout)
  expect(columns).toEqual(expected)
  expect(unsure).toEqual([])
})
