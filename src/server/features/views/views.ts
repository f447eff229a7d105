import { and, count, eq, or, sql } from 'drizzle-orm'
import type { NewView, View, ViewChange } from '#contract/schemas/views.ts'
import { maxViews, tidyViewSearch, viewLists } from '#contract/views.ts'
import { announce, audit } from '#server/core/audit.ts'
import { adminOf, type Ctx, hasPermission, inTransaction, mayView } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import { listViews } from '#server/db/tables/views.ts'
import { AppError, notFound, requireVersion } from '#server/lib/errors.ts'
import { countView, requireView } from './count.ts'

type ViewRow = typeof listViews.$inferSelect

/** The saved views that the admin may see: own and shared ones, of lists that the admin may view. By list and name. */
export async function listViewsOf(ctx: Ctx, timeZone = 'UTC'): Promise<{ views: View[] }> {
  const { id } = adminOf(ctx)
  const { ownerId, isShared, list, name } = listViews
  const rows = await ctx.database.db
    .select({ view: listViews, owner: admins.username })
    .from(listViews)
    .innerJoin(admins, eq(admins.id, ownerId))
    .where(or(eq(ownerId, id), isShared))
    .orderBy(list, sql`lower(${name})`, listViews.id)
  const views: View[] = []
  // One after the other: a sidebar takes one connection.
  for (const { view, owner } of rows) {
    if (!mayView(ctx, viewLists[view.list].view)) continue
    const counted = await countView(ctx.reads, view.list, view.search, timeZone)
    views.push({ ...view, ...counted, owner, isOwn: view.ownerId === id })
  }
  return { views }
}

const refuseSharing = () =>
  new AppError('forbidden', 'Sharing views needs the permission “Share saved views and templates” (views.share)')

function requireSharing(ctx: Ctx): void {
  if (!hasPermission(ctx, 'views.share')) throw refuseSharing()
}

/** Locks the admin's account, so that views of one operator are added and renamed one after the other. */
async function lockOwner(tx: Tx, ownerId: string): Promise<void> {
  await tx.select({ id: admins.id }).from(admins).where(eq(admins.id, ownerId)).for('no key update')
}

/** Throws view_taken where the owner has another view of the list under the name. */
async function requireFreeName(tx: Tx, { ownerId, list, name }: Pick<ViewRow, 'ownerId' | 'list' | 'name'>, id = '0') {
  const [taken] = await tx
    .select({ id: listViews.id })
    .from(listViews)
    .where(
      and(
        eq(listViews.ownerId, ownerId),
        eq(listViews.list, list),
        sql`lower(${listViews.name}) = lower(${name})`,
        sql`${listViews.id} <> ${id}`,
      ),
    )
  if (taken) throw new AppError('view_taken', 'There is a view of this list with that name. Choose another one.')
}

/** What the audit row says of a shared view. */
const describe = ({ list, name, search }: Pick<ViewRow, 'list' | 'name' | 'search'>) => ({ list, name, search })

/** Saves an own view. Throws forbidden, view_taken, views_full. */
export const createView = (ctx: Ctx, { list, name: given, search }: NewView) =>
  inTransaction(ctx, async (tx) => {
    const { id: ownerId } = adminOf(ctx)
    requireView(ctx, list)
    await lockOwner(tx, ownerId)
    const [kept] = await tx.select({ count: count() }).from(listViews).where(eq(listViews.ownerId, ownerId))
    if (kept!.count >= maxViews)
      throw new AppError('views_full', `You have ${maxViews} saved views. Delete one to save another.`)
    const values = { ownerId, list, name: given.trim(), search: tidyViewSearch(search), isShared: false }
    await requireFreeName(tx, values)
    const [view] = await tx.insert(listViews).values(values).returning()
    await announce(tx, 'views')
    return view!
  })

/** Locks a view that the admin may change: an own one, or a permitted shared one. Throws not_found, forbidden. */
async function lockView(tx: Tx, ctx: Ctx, id: string): Promise<ViewRow> {
  const [found] = await tx.select().from(listViews).where(eq(listViews.id, id))
  if (!found) throw notFound('View')
  await lockOwner(tx, found.ownerId)
  const [view] = await tx.select().from(listViews).where(eq(listViews.id, id)).for('update')
  const isOwn = view?.ownerId === adminOf(ctx).id
  if (!view || !(isOwn || view.isShared) || !mayView(ctx, viewLists[view.list].view)) throw notFound('View')
  if (view.isShared) requireSharing(ctx)
  return view
}

/** Changes a view; shared ones by anyone who may share. Throws not_found, forbidden, stale, view_taken. */
export const changeView = (ctx: Ctx, id: string, change: ViewChange, ifMatch: number | undefined) =>
  inTransaction(ctx, async (tx) => {
    const before = await lockView(tx, ctx, id)
    requireVersion(ifMatch, before.version, () => {
      const details = { version: before.version }
      return new AppError('stale', 'This view was changed meanwhile. Reload and decide again.', { details })
    })
    const after = {
      name: change.name?.trim() ?? before.name,
      search: change.search === undefined ? before.search : tidyViewSearch(change.search),
    }
    if (after.name === before.name && after.search === before.search) return before
    await requireFreeName(tx, { ...before, ...after }, id)
    const [view] = await tx
      .update(listViews)
      .set({ ...after, version: before.version + 1 })
      .where(eq(listViews.id, id))
      .returning()
    if (before.isShared)
      await audit(tx, ctx, {
        action: 'change_view',
        target: { type: 'view', id },
        details: { before: describe(before), after: describe(view!) },
      })
    await announce(tx, 'views')
    return view!
  })

/** Shares an own view, or ends the sharing of any. One that is as it should be stays so. Throws not_found. */
export const shareView = (ctx: Ctx, id: string, isShared: boolean) =>
  inTransaction(ctx, async (tx) => {
    const before = await lockView(tx, ctx, id)
    if (before.isShared === isShared) return before
    const [view] = await tx
      .update(listViews)
      .set({ isShared, version: before.version + 1 })
      .where(eq(listViews.id, id))
      .returning()
    const action = isShared ? 'share_view' : 'unshare_view'
    await audit(tx, ctx, { action, target: { type: 'view', id }, details: describe(before) })
    await announce(tx, 'views')
    return view!
  })

/** Deletes a view; a shared one by anyone who may share. Throws not_found, forbidden. */
export const deleteView = (ctx: Ctx, id: string): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const view = await lockView(tx, ctx, id)
    await tx.delete(listViews).where(eq(listViews.id, id))
    if (view.isShared)
      await audit(tx, ctx, {
        action: 'unshare_view',
        target: { type: 'view', id },
        details: { ...describe(view), isDeleted: true },
      })
    await announce(tx, 'views')
  })
