import type { Integrity } from '#contract/schemas/security.ts'
import type { Ctx } from '#server/core/context.ts'
import { readAlarms } from '#server/features/alarms/service.ts'
import { readIntegrity } from '#server/features/audit-chain/service.ts'

/** How the audit log is protected, and where events and audit rows are sent (product 5.12). */
export const readProtection = async (ctx: Ctx): Promise<Integrity> => ({
  ...(await readIntegrity(ctx)),
  alarms: await readAlarms(ctx),
})
