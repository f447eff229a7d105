import { expect, test } from 'vitest'
import { paths } from './paths.ts'
import { findScreenPermissions } from './screen-permissions.ts'

/** Screens of what is the operator's own, or may be decided by them. */
const ofEveryAdmin = new Set(['/account', '/approvals', '/approvals/$id', '/bulk', '/bulk/$id'])

test.each(Object.entries(paths))('%s: the screen names who may view it', (_, path) => {
  // Each takes an id, a query or nothing.
  const { to }: { to: string } = Reflect.apply(path, undefined, ['x'])
  expect(findScreenPermissions(to) === null).toBe(ofEveryAdmin.has(to))
})
