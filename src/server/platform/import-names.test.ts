import { expect, test } from 'vitest'
import { importHeaders, importUrl, buildMemberLine } from '#test/support/import.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const call = createPlatformCaller(server)
const send = (batch: string, lines: string[]) =>
  server.as(null)('POST', `${importUrl}?batch=${batch}`, lines.join('\n'), importHeaders)

const step2 = '"dateOfBirth":"1991-03-14","nationality":"PT","countryOfResidence":"ES"'
const member = (id: string, more: string) => `{"type":"member","id":"${id}","email":"${id}@example.com",${more}}`
/** Names of fields that PostgreSQL can't keep, or that a terminal would obey. */
const names: [string, string][] = [
  ['NUL', '"a\\u0000b":1'],
  ['half a surrogate pair', '"a\\ud800":1'],
  ['an escape sequence', '"\\u001b[2Jgone":1'],
  ['a very long name', `"${'x'.repeat(3000)}":1`],
  // Cut anywhere, it must not leave half of a pair.
  ['a long name of pairs', `"y${'😀'.repeat(700)}":1`],
  ['many names of pairs', Array.from({ length: 90 }, (_, n) => `"${'😀'.repeat(n % 7)}${n}\\u0000":1`).join()],
]

test.each(names)('a line whose field name holds %s is refused alone, in a batch too', async (what, field) => {
  const batch = what.replaceAll(' ', '-')
  const lines = [
    JSON.stringify(buildMemberLine(`${batch}-1`)),
    member(`${batch}-2`, field),
    `{"type":"kyc","memberId":"${batch}-1","attempt":1,"step2":{${step2},${field}}}`,
    JSON.stringify(buildMemberLine(`${batch}-3`)),
  ]
  const reply = await send(batch, lines)
  expect(reply.statusCode, reply.body).toBe(200)
  const { created, errors } = reply.json<{
    created: number
    errors: { line: number; code: string; message: string }[]
  }>()
  expect([created, errors.map(({ line, code }) => [line, code])]).toEqual([
    2,
    [
      [2, 'invalid'],
      [3, 'invalid'],
    ],
  ])
  for (const { message } of errors) {
    expect(message).toContain('is not known here')
    expect(message).not.toMatch(/\p{Cc}|\p{Cs}/u)
    expect(message.length).toBeLessThanOrEqual(500)
  }
  expect((await send(batch, lines)).json()).toEqual(reply.json())
})

test('a refused call names such a field cleaned as well', async () => {
  const reply = await call('PUT', '/members/m-1', `{"email":"a@example.com","\\u001b[2J${'x'.repeat(500)}":1}`)
  expect([reply.statusCode, reply.json().details]).toEqual([
    400,
    [{ field: `\uFFFD[2J${'x'.repeat(60)}…`, message: 'is not known here' }],
  ])
})
