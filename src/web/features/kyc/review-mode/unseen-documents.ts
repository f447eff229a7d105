import { useCallback, useState } from 'react'
import { describeParts } from '#web/reviews/doubts.tsx'
import type { CaseDocument } from './document-comparison.tsx'

/** Names the documents that were not on screen, in a sentence. None when all were. */
export function describeUnseen(documents: readonly CaseDocument[], seen: ReadonlySet<string>): string[] {
  const there = documents.flatMap(({ label, path }) => (path === null ? [] : [{ label, path }]))
  const unseen = there.filter(({ path }) => !seen.has(path)).map(({ label }) => label)
  if (unseen.length === 0) return []
  if (unseen.length === there.length) return ['No document has been on screen.']
  return [describeParts(unseen, 'has not been on screen', 'have not been on screen')]
}

/** Tracks which documents were on screen. Call `onShown` when a picture is shown. */
export function useUnseenDocuments(documents: readonly CaseDocument[]) {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const onShown = useCallback((path: string) => setSeen((before) => new Set([...before, path])), [])
  return { unseen: describeUnseen(documents, seen), onShown }
}
