import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import { documentRoutes, documentTokenMinutes } from '#contract/documents.ts'
import { DocumentFailure } from '#contract/schemas/documents.ts'
import { ApiError, call, callRaw, isUnauthorized, describeError } from '#web/api.ts'
import { buildTokenKey } from '#web/lib/document-tokens.ts'
import { toast } from '#web/ui/toast.ts'

const StoredToken = z.object({ token: z.string(), expiresAt: z.number() })

function readStoredToken(key: string): string | undefined {
  try {
    const stored = StoredToken.parse(JSON.parse(localStorage.getItem(key) ?? ''))
    return stored.expiresAt > Date.now() ? stored.token : undefined
  } catch {
    return undefined
  }
}

function storeToken(key: string, token: string): void {
  try {
    const expiresAt = Date.now() + documentTokenMinutes.cached * 60_000
    localStorage.setItem(key, JSON.stringify({ token, expiresAt }))
  } catch {
    // The browser may forbid storage. Then each view requests a token.
  }
}

function removeStoredToken(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // The browser may forbid storage. Then nothing was stored either.
  }
}

async function getToken(userId: string, documentPath: string): Promise<{ token: string; wasStored: boolean }> {
  const key = buildTokenKey(userId, documentPath)
  const stored = readStoredToken(key)
  if (stored) return { token: stored, wasStored: true }
  const { token } = await call(documentRoutes.token, { body: { documentPath, userId } })
  storeToken(key, token)
  return { token, wasStored: false }
}

export interface DocumentProblem {
  title: string
  message: string
  suggestion?: string
  status?: number
}

const tokenFailureText = 'Failed to generate secure document access token'
const unreadableImage = {
  title: 'Document Proxy Error',
  message: 'The image could not be loaded, and the server gave no reason.',
}

/** Why the image failed to load: the proxy's message where it can be read (product 9.3). */
function describeImageProblem(error: Error): DocumentProblem {
  if (!(error instanceof ApiError))
    return { ...unreadableImage, message: describeError(error, unreadableImage.message) }
  try {
    const failure = DocumentFailure.parse(JSON.parse(error.message.slice(error.message.indexOf(':') + 1)))
    return { title: 'Document Access Issue', ...failure }
  } catch {
    return { ...unreadableImage, status: error.status }
  }
}

/**
 * Loads the image of a document: first a token, stored for 9 minutes, then the picture, held in memory while it is
 * shown.
 */
export function useDocument(userId: string, documentPath: string) {
  const key = buildTokenKey(userId, documentPath)
  const access = useQuery({
    queryKey: ['document-token', userId, documentPath],
    queryFn: () => getToken(userId, documentPath),
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
  // A stored token may belong to an ended session, which the proxy refuses. Then one new token is requested.
  const isOutdated =
    !error && access.data?.wasStored === true && image.error instanceof ApiError && image.error.status === 404
  useEffect(() => {
    if (!isOutdated) return
    removeStoredToken(key)
    void refetch()
  }, [isOutdated, key, refetch])
  useEffect(() => {
    if (!error || isUnauthorized(error)) return
    toast({ tone: 'destructive', title: 'Document Access Failed', description: describeError(error, tokenFailureText) })
  }, [error])

  const isLoading = access.isFetching || image.isFetching || isOutdated
  const problem: DocumentProblem | null = isLoading
    ? null
    : error
      ? { title: 'Document Access Failed', message: describeError(error, tokenFailureText) }
      : image.error
        ? describeImageProblem(image.error)
        : null
  return {
    image: image.data,
    isLoading,
    problem,
    retry: () => {
      removeStoredToken(key)
      void refetch()
    },
  }
}

export const notAnImage: DocumentProblem = {
  ...unreadableImage,
  message: 'What the server sent is not an image that can be shown.',
}
