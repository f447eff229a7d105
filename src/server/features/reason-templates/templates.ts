import { and, count, eq, ne, or, sql } from 'drizzle-orm'
import { maxTemplates } from '#contract/reason-templates.ts'
import type { NewTemplate, ReasonTemplate, TemplateChange } from '#contract/schemas/reason-templates.ts'
import { announce, audit } from '#server/core/audit.ts'
import { adminOf, type Ctx, hasPermission, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import { reasonTemplates } from '#server/db/tables/reason-templates.ts'
import { AppError, notFound, requireVersion } from '#server/lib/errors.ts'

type TemplateRow = typeof reasonTemplates.$inferSelect
const { id: templateId, ownerId, isShared, name, language } = reasonTemplates

/** The own templates and the shared ones, by name. */
export function listTemplates(ctx: Ctx, db: Pick<Tx, 'select'> = ctx.database.db): Promise<ReasonTemplate[]> {
  const { id } = adminOf(ctx)
  const { text, version } = reasonTemplates
  const isOwn = sql<boolean>`${ownerId} = ${id}`
  return db
    .select({ id: templateId, name, language, text, isShared, isOwn, owner: admins.username, version })
    .from(reasonTemplates)
    .innerJoin(admins, eq(admins.id, ownerId))
    .where(or(eq(ownerId, id), isShared))
    .orderBy(sql`lower(${name})`, templateId)
}

/** Locks the operator's account, so that templates of one operator are added and renamed one after the other. */
const lockOwner = (tx: Tx, id: string) =>
  tx.select({ id: admins.id }).from(admins).where(eq(admins.id, id)).for('no key update')

function requireSharing(ctx: Ctx): void {
  const refusal = 'Sharing templates needs the permission “Share saved views and templates” (views.share)'
  if (!hasPermission(ctx, 'views.share')) throw new AppError('forbidden', refusal)
}

/** Throws template_taken where the owner has another template of the language under the name. */
async function requireFreeName(tx: Tx, given: Pick<TemplateRow, 'ownerId' | 'name' | 'language'>, id = '0') {
  const isSame = and(eq(ownerId, given.ownerId), eq(language, given.language), ne(templateId, id))
  const [taken] = await tx
    .select({ id: templateId })
    .from(reasonTemplates)
    .where(and(isSame, sql`lower(${name}) = lower(${given.name})`))
  const refusal = 'There is a template of this language with that name. Choose another one.'
  if (taken) throw new AppError('template_taken', refusal)
}

const trimTexts = ({ name: given, text, ...rest }: NewTemplate) => ({ ...rest, name: given.trim(), text: text.trim() })

/** What the audit row says of a template. */
const describe = ({ name: given, language: code, text, isShared: shared }: NewTemplate) => ({
  name: given,
  language: code,
  text,
  isShared: shared,
})

/** The template as the admin who has just changed it reads it. */
async function readTemplate(tx: Tx, ctx: Ctx, row: TemplateRow): Promise<ReasonTemplate> {
  const [owner] = await tx.select({ name: admins.username }).from(admins).where(eq(admins.id, row.ownerId))
  return { ...row, isOwn: row.ownerId === adminOf(ctx).id, owner: owner!.name }
}

/** Saves a template, the admin's own. Throws forbidden, template_taken, templates_full. */
export const createTemplate = (ctx: Ctx, given: NewTemplate): Promise<ReasonTemplate> =>
  inTransaction(ctx, async (tx) => {
    const values = { ...trimTexts(given), ownerId: adminOf(ctx).id }
    if (values.isShared) requireSharing(ctx)
    await lockOwner(tx, values.ownerId)
    const [kept] = await tx.select({ count: count() }).from(reasonTemplates).where(eq(ownerId, values.ownerId))
    if (kept!.count >= maxTemplates)
      throw new AppError('templates_full', `You have ${maxTemplates} templates. Delete one to save another.`)
    await requireFreeName(tx, values)
    const [row] = await tx.insert(reasonTemplates).values(values).returning()
    const target = { type: 'template', id: row!.id }
    await audit(tx, ctx, { action: 'create_template', target, details: describe(row!) })
    await announce(tx, 'templates')
    return readTemplate(tx, ctx, row!)
  })

/** Locks a template that the admin may change: an own one, or a permitted shared one. Throws not_found, forbidden. */
async function lockTemplate(tx: Tx, ctx: Ctx, id: string): Promise<TemplateRow> {
  const [found] = await tx.select().from(reasonTemplates).where(eq(templateId, id))
  if (!found) throw notFound('Template')
  await lockOwner(tx, found.ownerId)
  const [row] = await tx.select().from(reasonTemplates).where(eq(templateId, id)).for('update')
  if (!row || !(row.isShared || row.ownerId === adminOf(ctx).id)) throw notFound('Template')
  if (row.isShared) requireSharing(ctx)
  return row
}

/** Changes a template; shared ones by anyone who may share. Throws not_found, forbidden, stale, template_taken. */
export const changeTemplate = (
  ctx: Ctx,
  id: string,
  change: TemplateChange,
  ifMatch: number | undefined,
): Promise<ReasonTemplate> =>
  inTransaction(ctx, async (tx) => {
    const before = await lockTemplate(tx, ctx, id)
    requireVersion(ifMatch, before.version, () => {
      const details = { version: before.version }
      return new AppError('stale', 'This template was changed meanwhile. Reload and decide again.', { details })
    })
    const after = trimTexts({ ...describe(before), ...change })
    if (after.isShared && !before.isShared) requireSharing(ctx)
    if (JSON.stringify(describe(after)) === JSON.stringify(describe(before))) return readTemplate(tx, ctx, before)
    await requireFreeName(tx, { ...after, ownerId: before.ownerId }, id)
    const set = { ...after, version: before.version + 1 }
    const [row] = await tx.update(reasonTemplates).set(set).where(eq(templateId, id)).returning()
    const details = { before: describe(before), after: describe(row!) }
    await audit(tx, ctx, { action: 'change_template', target: { type: 'template', id }, details })
    await announce(tx, 'templates')
    return readTemplate(tx, ctx, row!)
  })

/** Deletes a template; a shared one by anyone who may share. Throws not_found, forbidden. */
export const deleteTemplate = (ctx: Ctx, id: string): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const row = await lockTemplate(tx, ctx, id)
    await tx.delete(reasonTemplates).where(eq(templateId, id))
    await audit(tx, ctx, { action: 'delete_template', target: { type: 'template', id }, details: describe(row) })
    await announce(tx, 'templates')
  })
