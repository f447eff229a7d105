import { mostRecent } from '#contract/search.ts'

/** A page that an operator has opened. Only its id is stored. The server is asked for the rest. */
export interface RecentItem {
  kind: 'member' | 'order'
  id: string
}

/** Removed with the session (`clearStored`). */
const buildStorageKey = (adminId: string) => `recent:${adminId}`
const isItem = (item: unknown): item is RecentItem =>
  typeof item === 'object' && item !== null && 'id' in item && 'kind' in item && typeof item.id === 'string'

/** Newest first. Ignores foreign data and missing storage. */
export function readRecent(adminId: string): RecentItem[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(buildStorageKey(adminId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isItem).slice(0, mostRecent) : []
  } catch {
    return []
  }
}

/** The page at this address. Null for a page that is not stored. */
export function parseRecentItem(pathname: string): RecentItem | null {
  const [, place, id] = /^\/(users|orders)\/([A-Za-z0-9_.:-]{1,64})$/.exec(pathname.replaceAll('%3A', ':')) ?? []
  if (!place || !id || (place === 'orders' && !/^[1-9]\d{0,17}$/.test(id))) return null
  return { kind: place === 'users' ? 'member' : 'order', id }
}

export function storeRecent(adminId: string, item: RecentItem): void {
  const others = readRecent(adminId).filter(({ kind, id }) => kind !== item.kind || id !== item.id)
  try {
    localStorage.setItem(buildStorageKey(adminId), JSON.stringify([item, ...others].slice(0, mostRecent)))
  } catch {
    // Without storage there are no recent items.
  }
}
