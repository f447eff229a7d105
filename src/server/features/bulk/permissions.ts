import { type BulkAction, readBulkDesign } from '#contract/bulk.ts'
import { describeMissing } from '#contract/permission-labels.ts'
import { can, type Role } from '#contract/permissions.ts'
import { type Ctx, hasPermission } from '#server/core/context.ts'
import { AppError } from '#server/lib/errors.ts'

/** Throws forbidden unless the admin may do this to a single row. */
export function requireActionOf(ctx: Ctx, { action }: { action: BulkAction }): void {
  const missing = readBulkDesign(action).permissions.filter((permission) => !hasPermission(ctx, permission))
  if (missing.length > 0) throw new AppError('forbidden', describeMissing(missing))
}

/** Whether a role may still do it. */
export const mayDo = ({ roles }: Ctx, role: Role, action: BulkAction): boolean =>
  readBulkDesign(action).permissions.every((permission) => can({ role }, permission, roles))
