import { useCallback, useState } from 'react'
import type { CaseDocument } from './document-comparison.tsx'

/** What of a case's documents has not been on screen, in words; null when all have. */
export function describeUnseen(documents: readonly CaseDocument[], seen: ReadonlySet<string>): string | null {
  if (documents.length === 0) return 'This attempt has no documents.'
  const missing = documents.filter(({ path }) => !seen.has(path)).map(({ label }) => label)
  if (missing.length === 0) return null
  if (missing.length === documents.length) return 'No document has been on screen.'
  return `${missing.join(' and ')} ${missing.length === 1 ? 'has' : 'have'} not been on screen.`
}

/** Keeps which documents have been on screen; `onShown` is for the picture that has come. */
export function useUnseenDocuments(documents: readonly CaseDocument[]) {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const onShown = useCallback((path: string) => setSeen((before) => new Set([...before, path])), [])
  return { unseen: describeUnseen(documents, seen), onShown }
}
