import { expect, test } from 'vitest'
import { findUrlProblem, nameHost, splitHosts } from './database-url.ts'

test.each([
  ['postgres://a:b@one/c', ['postgres://a:b@one/c']],
  ['postgres://a:b@one:1,two:2/c?x=1', ['postgres://a:b@one:1/c?x=1', 'postgres://a:b@two:2/c?x=1']],
  ['postgresql://one,[::1]:5/c', ['postgresql://one/c', 'postgresql://[::1]:5/c']],
  ['postgres://a:p%2Cq@one/c?options=-c%20x%3D1,2', ['postgres://a:p%2Cq@one/c?options=-c%20x%3D1,2']],
  ['postgres://a:p,q@one/c', ['postgres://a:p,q@one/c']],
])('%s stands for %j', (url, urls) => {
  expect(splitHosts(url)).toEqual(urls)
})

test.each([
  ['postgres://a:b@one:1,two:2/c?target_session_attrs=read-write', null],
  ['postgres://one/c?target_session_attrs=primary', null],
  ['postgres://one/c?target_session_attrs=any', 'must have target_session_attrs=read-write or none'],
  ['postgres://one/c?target_session_attrs=standby', 'must have target_session_attrs=read-write or none'],
  ['postgres://one,/c', 'must'],
  ['postgres://one:x,two/c', 'must be a URL'],
  ['postgres://localhost/c?host=a,b', 'must name several hosts before the database'],
  ['mysql://one,two/c', 'must be a URL'],
])('%s has the problem %j', (url, problem) => {
  if (problem === null) expect(findUrlProblem(url)).toBeNull()
  else expect(findUrlProblem(url)).toContain(problem)
})

test('a host is named without account and password', () => {
  expect(nameHost('postgres://a:secret@db.internal/c')).toBe('db.internal:5432')
  expect(nameHost('postgres://a:secret@localhost:1/c?host=/run/postgresql')).toBe('/run/postgresql')
})
