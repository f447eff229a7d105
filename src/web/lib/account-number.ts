const ibanForm = /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/

/** In groups of four, as people read and compare them. The blanks are for the eye: what is copied has none. */
export const groupInFours = (text: string): string => text.replaceAll(/.{4}(?=.)/g, '$& ')

/** An IBAN in groups of four; a bank's own number as it is. */
export const formatAccountNumber = (account: string): string =>
  ibanForm.test(account) ? groupInFours(account) : account
