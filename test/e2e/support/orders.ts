import { paymentDetails } from '#test/support/payment-details.ts'
import type { ConsoleServer } from './console-server.ts'
import { newWord, type ImportedMember } from './members.ts'

interface ImportedOrder {
  id: string
  number: string
}

/** Imports an order. By default it waits for payment for a day. */
export async function importOrder(
  server: ConsoleServer,
  member: ImportedMember,
  given: Record<string, unknown> & { orderNumber?: string } = {},
): Promise<ImportedOrder> {
  const { orderNumber: number = `ORD-${newWord()}` } = given
  await server.importLines({
    type: 'order',
    orderNumber: number,
    memberId: member.id,
    projectId: 'prj-7',
    projectName: 'Solar Park',
    investmentAmount: '12500.5',
    currency: 'EUR',
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    ...paymentDetails,
    paymentInstructions: `Give ${number} as the reference.`,
    // A past needs its beginning.
    ...(given['status'] !== undefined && { createdAt: '2026-01-05T09:00:00Z' }),
    ...given,
  })
  const [row] = await server.sql<{ id: string }>('SELECT id::text FROM orders WHERE order_number = $1', [number])
  return { id: row!.id, number }
}
