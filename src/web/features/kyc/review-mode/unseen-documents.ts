import { useCallback, useState } from 'react'
import type { CaseDocument } from './document-comparison.tsx'

/** Names the documents that were not on screen. Null when all were. */
export function describeUnseen(documents: readonly CaseDocument[], seen: ReadonlySet<string>): string | null {
  if (documents.length === 0) return 'This attempt has no documents.'
  const missing = documents.filter(({ path }) => !seen.has(path)).map(({ label }) => label)
  if (missing.length === 0) return null
  if (missing.length === documents.length) return 'No document has been on screen.'
  return `${missing.join(' and ')} ${missing.length === 1 ? 'has' : 'have'} not been on screen.`
}

/** Tracks which documents were on screen. Call `onShown` when a picture is shown. */
export function useUnseenDocuments(documents: readonly CaseDocument[]) {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const onShown = useCallback((path: string) => setSeen((before) => new Set([...before, path])), [])
  return { unseen: describeUnseen(documents, seen), onShown }
}
