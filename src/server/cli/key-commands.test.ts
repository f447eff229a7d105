import { describe, expect, test } from 'vitest'
import { createAdminCommand } from '#test/support/admin-command.ts'
import { startServer } from '#test/support/server.ts'
import { readCommand } from './admin-commands.ts'

const server = await startServer()
const readKeyCommand = (words: string[]) => readCommand(['key', ...words])!
const admin = await createAdminCommand(server)
const call = (key: string) =>
  server.app.inject({
    method: 'POST',
    url: '/api/platform/v1/import',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    payload: '',
  })
const instant = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`

describe('npm run admin -- key', () => {
  test('a key is made, shown once, used, listed and revoked while the server runs (product 10.1)', async () => {
    expect((await admin(['key', 'list'])).out).toBe(
      'There is no platform key; make one: npm run admin -- key create <name>\n',
    )
    const made = await admin(['key', 'create', 'shop', '--expires', '90d', '--rate', '7'])
    expect(made.code, made.error).toBe(0)
    expect(made.out).toMatch(
      new RegExp(
        `^Platform key shop is valid from now, until ${instant}, for 7 calls a second\\.\nScopes: standard\\. From: anywhere\\.\nKey: bok_[\\w-]{43}\nIt is shown this once\\.\n$`,
      ),
    )
    const key = /^Key: (\S+)$/m.exec(made.out)![1]!
    const reply = await call(key)
    expect([reply.statusCode, reply.headers['ratelimit-limit']]).toEqual([200, '14'])

    const [listed] = await Promise.all([admin(['key', 'list']), admin(['key', 'create', 'Another'])])
    expect(listed.out.split('\n')[0]).toMatch(
      /^name +ends in +state +expires +calls\/s +last used +from +made +by +scopes +networks$/,
    )
    expect(listed.out).toMatch(
      new RegExp(
        `^shop +${key.slice(-4)} +valid +${instant} +7 +${instant} +127\\.0\\.0\\.1 +${instant} +npm run admin`,
        'm',
      ),
    )
    expect(listed.out).not.toContain(key)

    const revoked = await admin(['key', 'revoke', 'shop'])
    expect(revoked).toMatchObject({ code: 0, out: 'Platform key shop is revoked; the next call with it is refused.\n' })
    expect((await call(key)).statusCode).toBe(401)
    const after = (await admin(['key', 'list'])).out
    expect(after).toMatch(/^shop .* revoked /m)
    expect(after).toMatch(/^Another +\S{4} +valid +never +50 +never +/m)

    const audits = await server.sql(`SELECT action, actor_kind, actor_name, target_type, target_id FROM audit_log
      WHERE target_id = 'shop' ORDER BY id`)
    expect(audits).toEqual(
      ['create_key', 'revoke_key'].map((action) => ({
        action,
        actor_kind: 'command',
        actor_name: expect.stringMatching(/^npm run admin/),
        target_type: 'platform_key',
        target_id: 'shop',
      })),
    )
  })

  test('a key gets the named scopes and networks, and the list shows them (product 10.1)', async () => {
    const scopes = ['--scope', 'members.read,orders.read', '--scope', 'events.read', '--scope', 'orders.read']
    const made = await admin(['key', 'create', 'reader', ...scopes, '--from', '192.0.2.0/24', '--from', '2001:db8::1'])
    expect(made.error).toBe('')
    expect(made.out).toContain('Scopes: members.read,orders.read,events.read. From: 192.0.2.0/24, 2001:db8::1.\n')
    const mover = await admin(['key', 'create', 'mover', '--scope', 'history,standard'])
    expect(mover.out).toMatch(
      new RegExp(`^Platform key mover is valid from now, until ${instant}, .*\nScopes: standard,history\\. `),
    )
    const { out } = await admin(['key', 'list'])
    expect(out).toMatch(/^reader .* members\.read,orders\.read,events\.read +192\.0\.2\.0\/24,2001:db8::1\/128$/m)
    expect(out).toMatch(/^mover .* standard,history +anywhere$/m)
    expect(await server.sql(`SELECT details FROM audit_log WHERE target_id = 'reader'`)).toMatchObject([
      {
        details: {
          scopes: ['members.read', 'orders.read', 'events.read'],
          allowedFrom: ['192.0.2.0/24', '2001:db8::1'],
        },
      },
    ])
  })

  test('what cannot be done is one line and exit code 1', async () => {
    const refused = await admin(['key', 'revoke', 'nobody'])
    expect(refused).toEqual({ code: 1, out: '', error: 'No platform key is named nobody\n' })
  })

  test('what is asked wrongly shows how to ask, with exit code 2, and starts nothing', async () => {
    const { code, out, error } = await admin(['key', 'create', 'x', '--expires', 'soon'], {
      environment: { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/nothing' },
    })
    expect([code, out]).toEqual([2, ''])
    expect(error).toMatch(/^--expires is days such as 90d .*, not "soon"\n\nUsage: npm run admin -- <command>\n/)
    expect(error).toContain('  key revoke <name> ')
  })
})

test.each([
  [['dance'], 'There is no command "key dance"'],
  [[], 'key needs one more word: create, list, revoke'],
  [['create'], 'key create needs one more word'],
  [['create', 'a', 'b'], 'key create does not know what to do with "b"'],
  [['revoke'], 'key revoke needs one more word'],
  [['list', 'a'], 'key list does not know what to do with "a"'],
  [['list', '--rate', '5'], 'key list knows no --rate'],
  [['create', 'a', '--expires', '9d', '--expires=90d'], 'key create takes --expires once'],
  [['list', '--scope', 'history'], 'key list knows no --scope'],
  [['revoke', 'a', '--from', '192.0.2.1'], 'key revoke knows no --from'],
  [['create', 'a', '--scope'], '--scope'],
  [['create', 'a', '--scope', 'members'], 'There is no scope "members"; the scopes are members.read, '],
  [['create', 'a', '--scope', 'members.read,'], 'There is no scope ""; '],
  [['revoke', 'a', '--expires', '5d'], 'key revoke knows no --expires'],
  [['create', 'a', '--generate'], '--generate'],
  [['create', 'a', '--rate'], '--rate'],
  [['create', 'a', '--rate', '1.5'], '--rate is a number'],
  [['create', 'a', '--rate=-1'], '--rate is a number'],
  ...['0d', '3651d', '90', 'd', '2027-02-30', '2027-13-01', '31.01.2027', '2027-01-31T00:00:00Z', ''].map(
    (text) => [['create', 'a', `--expires=${text}`], '--expires is days'] as [string[], string],
  ),
])('key %j is not a command', (args: string[], problem: string) => {
  expect(() => readKeyCommand(args)).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringContaining(problem) }),
  )
})

test("what cannot be done says why in an operator's words, and nothing changes", async () => {
  await readKeyCommand(['create', 'taken'])(server.system)
  const before = await server.sql('SELECT * FROM platform_keys ORDER BY id')
  for (const [words, message] of [
    [
      ['create', 'taken'],
      'A platform key was named taken before; a name is used once, whatever its capitals, also when revoked',
    ],
    [['create', 'two words'], 'name: must be 1 to 64 of letters, digits and - _ .'],
    [['create', 'platform_api_key'], 'PLATFORM_API_KEY is the name of the key that is a setting; choose another'],
    [['create', 'x', '--rate', '10001'], 'rate: must be a whole number of calls a second, 1 to 10000'],
    [['create', 'x', '--expires', '2020-01-31'], 'expires: must be in the future'],
    [['create', 'x', '--from', '192.0.2.0/24,here'], 'from: "here" is not a network, such as 203.0.113.0/24'],
    [['create', 'x', '--scope', 'history', '--expires', '8d'], 'expires: must be at most 7 days away for a key with'],
    [['revoke', 'PLATFORM_API_KEY'], 'PLATFORM_API_KEY is a setting: take it away there and start the console again'],
  ] as const)
    await expect(readKeyCommand([...words])(server.system)).rejects.toThrow(message)
  expect(await server.sql('SELECT * FROM platform_keys ORDER BY id')).toEqual(before)
})

test('a day means its beginning in UTC, and so many days are counted from now', async () => {
  await readKeyCommand(['create', 'by-day', '--expires', '2996-02-29'])(server.system)
  await readKeyCommand(['create', 'in-days', '--expires', '3650d'])(server.system)
  const rows = await server.sql(`SELECT name, to_json(expires_at AT TIME ZONE 'UTC') AS at,
    abs(extract(epoch FROM expires_at - now() - interval '3650 days')) < 60 AS is_counted
    FROM platform_keys WHERE name IN ('by-day', 'in-days') ORDER BY name`)
  expect(rows).toEqual([
    { name: 'by-day', at: '2996-02-29T00:00:00', is_counted: false },
    { name: 'in-days', at: expect.any(String), is_counted: true },
  ])
})
