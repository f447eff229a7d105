/** The subjects of the examples: one member, one order, one token. */
export const memberId = 'm-1001'
export const email = 'ana.lima@example.com'
export const phone = '+351 912 345 678'
export const orderNumber = 'ORD-1042'
export const wallet = '0x52908400098527886e0f7030069857d2e4169ee7'
export const contract = '0x8617e340b3d01fa5f11f306f4090fd50e238070d'
export const hash = '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd'
export const day = '2026-01-05'
export const at = '2026-01-05T09:00:00.000Z'
export const later = '2026-01-05T09:12:30.000Z'

export const bank = {
  bankName: 'Meridian Bank',
  accountHolder: 'Solar Park Ltd',
  accountNumber: '0012345',
  iban: 'PT50 0002 0123 1234 5678 9015 4',
  swift: 'MERIPTPL',
  paymentInstructions: 'Give the order number as the reference.',
}
