/** An order as the platform sends it. Its members are m-1 to m-1000. */
export const makeOrder = (n: number) => ({
  memberId: `m-${1 + (n % 1000)}`,
  projectId: 'prj-1',
  projectName: 'Solar Park',
  investmentAmount: `${100 + (n % 90_000)}.00`,
  currency: 'EUR',
  expiresAt: new Date(Date.now() + 9 * 86_400_000).toISOString(),
  bankName: 'Example Bank',
  accountHolder: 'Meridian Invest SA',
  accountNumber: '',
  iban: 'DE89370400440532013000',
  swift: '',
  paymentInstructions: '',
})
