import type { CsvColumn } from '#contract/csv-profile.ts'
import { foldHeading } from './text.ts'

/** The words of several lists as they are compared. */
const fold = (...lists: string[]) => [...new Set(lists.flatMap((words) => words.split('|').map(foldHeading)))]

/** What headings mean at Indian, Korean, Japanese and Chinese banks, in this order. */
export const asianWords: Partial<Record<CsvColumn, string[]>> = {
  bookedOn: fold(
    'tran date|txn date|post date|txn posted date',
    '거래일시|거래일자|거래일|거래날짜|일자',
    '取引日|取引日付|お取引日|お取り引き日|年月日|日付',
    '记账日期|入账日期|交易日期|交易日|交易时间|帳務日期|記帳日期|日期',
  ),
  valueOn: fold('value dt|value dat|val date', '起算日', '起息日|起息日期'),
  amount: fold('거래금액', '取引金額|入出金', '交易金额|交易金額|发生额|發生額'),
  credit: fold(
    'deposit amt|deposit amount|deposit|deposits|credit amt|cr amount|cr amt|cr',
    '입금액|입금금액|입금|맡기신금액',
    'お預入れ|お預入金額|お預け入れ|お預り金額|預かり金額|入金金額|入金額|入金',
    '贷方发生额|贷方金额|收入金额|收入|存入金额|存入|貸方金額|存入金額',
  ),
  debit: fold(
    'withdrawal amt|withdrawal amount|withdrawal|withdrawals|debit amt|dr amount|dr amt|dr',
    '출금액|출금금액|출금|찾으신금액',
    'お引出し|お引出金額|お支払金額|支払い金額|支払金額|出金金額|出金額|出金',
    '借方发生额|借方金额|支出金额|支出|转出金额|借方金額|支出金額|提出',
  ),
  sign: fold('dr/cr|cr/dr', '입출금구분|입/출금', '入出金区分', '借贷标志|借贷|收/支'),
  currency: fold('통화', '通貨', '币种|幣別'),
  name: fold('보낸분/받는분|의뢰인/수취인|의뢰인|보낸분|상대계좌예금주명', '对方户名|对方名称|對方戶名'),
  iban: fold('상대계좌번호|상대계좌', '相手口座番号', '对方账号|对方账户|對方帳號'),
  remittance: fold(
    'narration|particulars|transaction remarks|transaction particulars|remarks',
    // What payers have the passbook show, a name in Japan and Korea too, they write themselves.
    '송금메모|받는분통장표시|기재내용',
    '振込依頼人名|依頼人名|摘要内容|お取り扱い内容|お取引内容|取引内容|入出金内容',
    '附言|交易附言|用途|摘要',
  ),
  bankReference: fold(
    'chq/ref no|chq/ref number|chq no/ref no|cheque/ref no|cheque no/ref no|ref no/cheque no|utr|utr no|utr number|ref no|reference no|tran id|txn id',
    '거래고유번호',
    '交易流水号|流水号|交易序號',
  ),
  balance: fold(
    'closing balance|bal',
    '거래후잔액|거래 후 잔액|잔액',
    '差引残高|取引後残高|残高',
    '账户余额|交易后余额|余额|帳戶餘額|結餘|餘額',
  ),
}

export const asianAccountWords: string[] = fold('계좌번호', '口座番号', '账号|帳號')

/** What the payer wrote where no other column is, and else the kind of booking or a remark. */
export const asianTextWords: string[] = fold('내용|적요|비고', '摘要', '备注|備註')

export const asianUnreadWords: string[] = fold(
  's no|sr no|sl no|serial no|chqno|chq no|cheque no|cheque number|init br|branch|branch code|sol',
  '거래점|취급점|취급은행|거래은행|상대은행|거래시간|시각|시간|구분|거래구분|번호|순번|no',
  '取扱店|取扱店名|支店名|ラベル|取引区分',
  '交易时间|交易網點|交易网点|凭证号|对方开户行|交易类型|交易渠道|序号|序號',
)
