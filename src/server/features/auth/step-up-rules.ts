import { sql } from 'drizzle-orm'
import { type StepUpKind, stepUpKindLabels, stepUpKinds } from '#contract/step-up.ts'
import { announce, audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { settings } from '#server/db/tables/core.ts'

const settingName = 'step_up_rules'

/** The kinds of calls that want a recent sign-in by rule. None at first. */
export async function listStepUpRules(db: Db | Tx): Promise<StepUpKind[]> {
  const rows = await db
    .select({ value: settings.value })
    .from(settings)
    .where(sql`${settings.name} = ${settingName}`)
  const on = (rows[0]?.value ?? []) as readonly string[]
  return stepUpKinds.filter((kind) => on.includes(kind))
}

/** Says whether calls of a kind want a recent sign-in. What changes nothing is written nowhere. */
export const setStepUpRule = (ctx: Ctx, kind: StepUpKind, isOn: boolean): Promise<StepUpKind[]> =>
  inTransaction(ctx, async (tx) => {
    await lockInTransaction(tx, settingName)
    const before = await listStepUpRules(tx)
    if (before.includes(kind) === isOn) return before
    const value = stepUpKinds.filter((each) => (each === kind ? isOn : before.includes(each)))
    await tx
      .insert(settings)
      .values({ name: settingName, value })
      .onConflictDoUpdate({ target: settings.name, set: { value } })
    const by = adminOf(ctx).name
    const details = { kind, before: { isOn: !isOn }, after: { isOn } }
    await audit(tx, ctx, { action: 'set_step_up_rule', target: { type: 'step_up_rule', id: kind }, details })
    await raiseSecurityEvent(tx, ctx, {
      severity: isOn ? 'medium' : 'high',
      type: 'step_up_rule_changed',
      description: `${by} has switched the recent sign-in ${isOn ? 'on' : 'off'} for “${stepUpKindLabels[kind]}”`,
      details: { by, ...details },
    })
    await announce(tx, 'approvals')
    return value
  })
