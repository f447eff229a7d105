import assert from 'node:assert/strict'
import { useSession } from './session.ts'
import { type LiveCheck, send, sendJson, sendRaw, type Target } from './target.ts'

const read = async (target: Target, path: string) => send(target, path, { headers: await useSession(target) })
const isRefused = (status: number) => status >= 400 && status < 500

/** Sends a body that signs nobody in, and throws unless it is 400. */
async function refusesLogin(target: Target, body: unknown, what: string) {
  const { status } = await sendJson(target, 'POST', '/api/auth/login', body)
  assert.equal(status, 400, what)
}

const sqlTexts = ["'", "' OR '1'='1", "'; SELECT pg_sleep(5); --", '\\', "%' UNION SELECT 1 --", '$1', '");--']
const searched = [
  '/api/users',
  '/api/orders',
  '/api/blockchain-transactions',
  '/api/kyc/submission-history',
  '/api/kyc/verifications',
]

export const inputChecks: LiveCheck[] = [
  {
    name: 'an address is decoded once',
    needs: 'session',
    run: async (target) => {
      const twice = await read(target, '/api/users?search=%252527')
      assert.equal(twice.status, 200)
      for (const path of [
        '/api/users/%252e%252e%252f',
        '/api/users/..%252f..',
        '/assets/..%252f..%252fpackage.json',
        '/assets/..%2f..%2fpackage.json',
      ]) {
        const { status, text } = await read(target, path)
        assert.ok(status === 400 || status === 404, `${path}: ${status}`)
        assert.doesNotMatch(text, /"dependencies"/)
      }
    },
  },
  {
    name: 'calls answer JSON, whatever callback is named',
    needs: 'session',
    run: async (target) => {
      const { headers, text } = await read(target, '/api/auth/user?callback=run&jsonp=run')
      assert.match(String(headers['content-type']), /^application\/json/)
      assert.doesNotThrow(() => JSON.parse(text))
    },
  },
  {
    name: 'texts of SQL are searched for as texts',
    needs: 'session',
    run: async (target) => {
      for (const path of searched)
        for (const text of sqlTexts) {
          const begun = performance.now()
          const { status } = await read(target, `${path}?search=${encodeURIComponent(text)}`)
          assert.ok(status === 200 || isRefused(status), `${path} ${text}: ${status}`)
          assert.ok(performance.now() - begun < 4500, `${path} ${text} waited`)
        }
    },
  },
  {
    name: 'unreadable and endless texts are refused by field',
    needs: 'session',
    run: async (target) => {
      for (const text of ['%00', 'x'.repeat(10_000)]) {
        const { status, text: answer } = await read(target, `/api/users?search=${text}`)
        assert.ok(isRefused(status), `${text.slice(0, 10)}: ${status}`)
        assert.match(answer, /"message":/)
      }
    },
  },
  {
    name: 'numbers beyond their range are refused',
    needs: 'session',
    run: async (target) => {
      for (const number of [
        '0',
        '-1',
        '1.5',
        '1e309',
        '2147483648000',
        '9007199254740993',
        '9223372036854775808',
        'NaN',
        ' 1',
        '0x10',
      ])
        for (const name of ['page', 'limit']) {
          const { status } = await read(target, `/api/users?${name}=${encodeURIComponent(number)}`)
          assert.equal(status, 400, `${name}=${number}`)
        }
      assert.equal((await read(target, '/api/users?limit=1001')).status, 400)
    },
  },
  {
    name: 'a body that sets a prototype is refused',
    run: async (target) => {
      for (const body of [
        '{"__proto__":{"a":1},"username":"a","password":"b"}',
        '{"constructor":{"prototype":{"a":1}},"username":"a","password":"b"}',
      ])
        await refusesLogin(target, body, body)
    },
  },
  {
    name: 'a body that gives a field twice is refused',
    run: (target) => refusesLogin(target, '{"username":"a","username":"b","password":"c"}', 'twice'),
  },
  {
    name: 'a field of another type is refused',
    run: async (target) => {
      for (const value of [1, true, null, [], {}, ['a']]) {
        await refusesLogin(target, { username: value, password: 'a' }, JSON.stringify(value))
        await refusesLogin(target, { username: 'a', password: value }, JSON.stringify(value))
      }
      for (const body of ['[]', '"a"', '1', 'null']) await refusesLogin(target, body, body)
    },
  },
  {
    name: 'a field that is not there is refused',
    needs: 'session',
    run: async (target) => {
      const session = await useSession(target)
      await refusesLogin(target, { username: 'a', password: 'b', role: 'super_admin' }, 'sign-in')
      const reply = await sendJson(target, 'POST', '/api/users/987654/ban', { reason: 'a', isAdmin: true }, session)
      assert.ok(isRefused(reply.status) && reply.status !== 404, `ban: ${reply.status}`)
    },
  },
  {
    name: 'a change without its fields is refused',
    needs: 'session',
    run: async (target) => {
      const reply = await sendJson(target, 'POST', '/api/users/987654/ban', {}, await useSession(target))
      assert.ok(reply.status === 400 || reply.status === 403, String(reply.status))
    },
  },
  {
    name: 'a parameter that is given twice is refused',
    needs: 'session',
    run: async (target) => {
      for (const query of ['page=1&page=2', 'search=a&search=b', 'limit=1&limit=1'])
        assert.equal((await read(target, `/api/users?${query}`)).status, 400, query)
    },
  },
  {
    name: 'a large body is refused',
    run: async (target) => {
      const { status } = await sendJson(target, 'POST', '/api/auth/login', {
        username: 'a',
        password: 'x'.repeat(100_000),
      })
      assert.equal(status, 413)
    },
  },
  {
    name: 'methods that are not served are refused',
    run: async (target) => {
      for (const method of ['TRACE', 'TRACK', 'PROPFIND', 'DELETE', 'PUT', 'PATCH'])
        for (const path of ['/', '/api/users']) {
          const line = `${method} ${path} HTTP/1.1\r\nHost: ${target.url.host}\r\nConnection: close\r\n\r\n`
          assert.match(await sendRaw(target, line), /^HTTP\/1\.1 (400|401|404|405|501) /, `${method} ${path}`)
        }
    },
  },
  {
    name: 'a request with two lengths is refused',
    run: async (target) => {
      const begin = `POST /api/auth/login HTTP/1.1\r\nHost: ${target.url.host}\r\nContent-Type: application/json\r\n`
      for (const lengths of [
        'Content-Length: 2\r\nTransfer-Encoding: chunked',
        'Content-Length: 2\r\nContent-Length: 3',
        'Content-Length: 2, 3',
        'Transfer-Encoding: chunked, identity',
      ])
        assert.match(
          await sendRaw(target, `${begin}${lengths}\r\n\r\n{}\r\n0\r\n\r\n`),
          /^HTTP\/1\.1 (400|501) /,
          lengths,
        )
    },
  },
  {
    name: 'a header with a line break is refused',
    run: async (target) => {
      const answer = await sendRaw(
        target,
        `GET /live HTTP/1.1\r\nHost: ${target.url.host}\r\nX-A: a\rSet-Cookie: b\r\n\r\n`,
      )
      assert.match(answer, /^HTTP\/1\.1 400 /)
    },
  },
  {
    name: 'no address leads to another site',
    run: async (target) => {
      for (const path of [
        '//elsewhere.example',
        '/\\elsewhere.example',
        '/login?next=https://elsewhere.example',
        '/%2f%2felsewhere.example',
        '/users/',
      ])
        assert.doesNotMatch((await send(target, path)).headers.location ?? '', /elsewhere/, path)
    },
  },
  {
    name: 'calls are answered without a redirect',
    run: async (target) => {
      for (const path of ['/api/users', '/api/auth/user/', '/api/nothing']) {
        const { status } = await send(target, path, { headers: { 'x-forwarded-proto': 'http' } })
        assert.ok(status < 300 || status >= 400, `${path}: ${status}`)
      }
    },
  },
  {
    name: 'files beside the pages are not served',
    run: async (target) => {
      const paths = [
        '/.git/config',
        '/.env',
        '/package.json',
        '/assets/',
        '/assets',
        '/assets/../package.json',
        '/src/server/main.ts',
        '/data/keys/audit',
        '/index.html.map',
      ]
      for (const path of paths) {
        const { text, headers } = await send(target, path)
        assert.doesNotMatch(text, /"dependencies"|\[core\]|DATABASE_URL=|sourcesContent|<title>Index of/, path)
        if (path.startsWith('/assets')) assert.doesNotMatch(String(headers['content-type']), /directory/, path)
      }
      const scripts = [...(await send(target, '/')).text.matchAll(/src="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
      for (const script of scripts) assert.equal((await send(target, `${script}.map`)).status, 404, script)
    },
  },
  {
    name: 'an address with another ending holds no data',
    needs: 'session',
    run: async (target) => {
      for (const path of ['/api/users/1.css', '/api/auth/user/a.js', '/api/auth/user;a.css']) {
        const { text, headers } = await read(target, path)
        assert.equal(headers['cache-control'], 'no-store', path)
        assert.ok(!text.includes(target.username), path)
      }
    },
  },
]
