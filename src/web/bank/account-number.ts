const ibanForm = /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/

/** An IBAN in groups of four; a bank's own number as it is. */
export const formatAccountNumber = (account: string): string =>
  ibanForm.test(account) ? account.replaceAll(/.{4}(?=.)/g, '$& ') : account
