import { expect, test } from 'vitest'
import { LiveHistory } from './hub.ts'

test('the history knows its latest events only, and is never wrong about the others', () => {
  const history = new LiveHistory(3)
  const ids = [history.lastId]
  for (const list of ['users', 'logs', 'users', 'security'] as const) {
    history.add({ type: 'changed', lists: [list] })
    ids.push(history.lastId)
  }
  expect(ids.map((id) => history.since(id))).toEqual([
    { type: 'resync' },
    { type: 'changed', lists: ['logs', 'users', 'security'] },
    { type: 'changed', lists: ['users', 'security'] },
    { type: 'changed', lists: ['security'] },
    null,
  ])
  history.add({ type: 'resync' })
  expect(history.since(ids[4]!)).toEqual({ type: 'resync' })
  const boot = history.lastId.split('-')[0]
  for (const id of [
    '',
    'x',
    `${boot}-6`,
    `${boot}--1`,
    `${boot}-99999999999999999999`,
    `${boot}-5 `,
    new LiveHistory().lastId,
  ])
    expect(history.since(id)).toEqual({ type: 'resync' })
})
