import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import { documentRoutes, documentTokenMinutes } from '#contract/documents.ts'
import { DocumentFailure } from '#contract/schemas/documents.ts'
import { ApiError, call, callRaw, isUnauthorized, serverMessage } from '#web/api.ts'
import { documentTokenKey } from '#web/lib/document-tokens.ts'
import { toast } from '#web/ui/toast.ts'

const Kept = z.object({ token: z.string(), expiresAt: z.number() })

function keptToken(key: string): string | undefined {
  try {
    const kept = Kept.parse(JSON.parse(localStorage.getItem(key) ?? ''))
    return kept.expiresAt > Date.now() ? kept.token : undefined
  } catch {
    return undefined
  }
}

function keepToken(key: string, token: string): void {
  try {
    const expiresAt = Date.now() + documentTokenMinutes.cached * 60_000
    localStorage.setItem(key, JSON.stringify({ token, expiresAt }))
  } catch {
    // Storage can be forbidden; then every view asks for a token of its own.
  }
}

function dropToken(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage can be forbidden; then nothing was kept either.
  }
}

async function tokenFor(userId: string, documentPath: string): Promise<{ token: string; wasKept: boolean }> {
  const key = documentTokenKey(userId, documentPath)
  const kept = keptToken(key)
  if (kept) return { token: kept, wasKept: true }
  const { token } = await call(documentRoutes.token, { body: { documentPath, userId } })
  keepToken(key, token)
  return { token, wasKept: false }
}

export interface Trouble {
  title: string
  message: string
  suggestion?: string
  status?: number
}

const tokenFailed = 'Failed to generate secure document access token'
const unreadable = {
  title: 'Document Proxy Error',
  message: 'The image could not be loaded, and the server gave no reason.',
}

/** Why the image did not come: the proxy's own words where they can be read (product 9.3). */
function imageTrouble(error: Error): Trouble {
  if (!(error instanceof ApiError)) return { ...unreadable, message: serverMessage(error, unreadable.message) }
  try {
    const failure = DocumentFailure.parse(JSON.parse(error.message.slice(error.message.indexOf(':') + 1)))
    return { title: 'Document Access Issue', ...failure }
  } catch {
    return { ...unreadable, status: error.status }
  }
}

/** The image of one document: a token, kept for 9 minutes, then the picture, held in memory only while it is shown. */
export function useDocument(userId: string, documentPath: string) {
  const key = documentTokenKey(userId, documentPath)
  const access = useQuery({
    queryKey: ['document-token', userId, documentPath],
    queryFn: () => tokenFor(userId, documentPath),
    gcTime: 0,
  })
  const image = useQuery({
    queryKey: ['document-image', access.data?.token],
    queryFn: async ({ signal }) =>
      (await callRaw(documentRoutes.proxy, { params: { token: access.data?.token ?? '' }, signal })).blob,
    enabled: access.data !== undefined && !access.isFetching && !access.isError,
    gcTime: 0,
  })

  const { error, refetch } = access
  // A kept token can be of a session that has ended: the proxy does not know it, and a new one is asked for, once.
  const isOutdated =
    !error && access.data?.wasKept === true && image.error instanceof ApiError && image.error.status === 404
  useEffect(() => {
    if (!isOutdated) return
    dropToken(key)
    void refetch()
  }, [isOutdated, key, refetch])
  useEffect(() => {
    if (!error || isUnauthorized(error)) return
    toast({ tone: 'destructive', title: 'Document Access Failed', description: serverMessage(error, tokenFailed) })
  }, [error])

  const isLoading = access.isFetching || image.isFetching || isOutdated
  const trouble: Trouble | null = isLoading
    ? null
    : error
      ? { title: 'Document Access Failed', message: serverMessage(error, tokenFailed) }
      : image.error
        ? imageTrouble(image.error)
        : null
  return {
    image: image.data,
    isLoading,
    trouble,
    retry: () => {
      dropToken(key)
      void refetch()
    },
  }
}

export const notAnImage: Trouble = { ...unreadable, message: 'What the server sent is not an image that can be shown.' }
