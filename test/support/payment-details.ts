/** Where an order of the tests is paid to. */
export const paymentDetails = {
  bankName: 'Meridian Bank',
  accountHolder: 'Solar Park Ltd',
  accountNumber: '0012345',
  iban: 'XX00 0000 0012 345',
  swift: 'MERIXX00',
  paymentInstructions: 'Give the order number as the reference.',
}
