import type { FastifyRequest } from 'fastify'
import type { Route } from '#contract/route.ts'
import { readScope } from '#contract/scopes.ts'
import type { Precondition } from '#server/core/upsert.ts'
import { invalidField } from '#server/lib/errors.ts'

/**
 * Reads `If-Match` or `If-None-Match`. Changes that ignore them refuse them, because the caller relies on them. Reads ignore
 * both, because browsers and caches send them. Throws invalid.
 */
export function readPrecondition(
  request: FastifyRequest,
  { access, method, versioned }: Route,
): Precondition | undefined {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers
  if (method === 'GET' || (ifMatch === undefined && ifNoneMatch === undefined)) return undefined
  if (ifMatch !== undefined && !versioned) throw invalidField('If-Match', 'is not taken by this call')
  if (ifNoneMatch === undefined) return readIfMatch(ifMatch!)
  if (!versioned || method !== 'PUT' || readScope(access) === null)
    throw invalidField('If-None-Match', 'is not taken by this call')
  if (ifMatch !== undefined) throw invalidField('If-None-Match', 'contradicts If-Match; leave out one of the two')
  if (ifNoneMatch !== '*') throw invalidField('If-None-Match', 'must be *')
  return 'absent'
}

function readIfMatch(header: string): Precondition {
  if (header === '*') return 'exists'
  // A proxy that compresses answers makes their ETags weak.
  const version = /^(?:W\/(?="))?"?([1-9]\d{0,8})"?$/.exec(header)?.[1]
  if (!version) throw invalidField('If-Match', 'must be a version such as "3", or *')
  return Number(version)
}
