import { mostRecent } from '#contract/search.ts'

/** A page that an operator has had open. Only its id is kept: what it shows is asked of the server each time. */
export interface RecentItem {
  kind: 'member' | 'order'
  id: string
}

/** Forgotten with the session (`forgetStored`). */
const buildStorageKey = (adminId: string) => `recent:${adminId}`
const isItem = (item: unknown): item is RecentItem =>
  typeof item === 'object' && item !== null && 'id' in item && 'kind' in item && typeof item.id === 'string'

/** Newest first. What another program has put there, or a browser without storage, is nothing. */
export function readRecent(adminId: string): RecentItem[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(buildStorageKey(adminId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isItem).slice(0, mostRecent) : []
  } catch {
    return []
  }
}

/** What page the address is of; null for a page that is not kept. */
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
    // A browser that keeps nothing offers nothing recent.
  }
}
