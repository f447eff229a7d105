import assert from 'node:assert/strict'
import { readSession, shareSignIn, useSession } from './session.ts'
import { type LiveCheck, type Reply, readSetCookies, send, sendJson, type Target } from './target.ts'

async function listAssets(target: Target): Promise<string[]> {
  const page = await send(target, '/')
  return [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!)
}

/** Replies of every kind: pages, files, answers, and refusals of each part of the server. */
async function collectReplies(target: Target): Promise<Record<string, Reply>> {
  const session = await useSession(target)
  const [asset] = await listAssets(target)
  return {
    page: await send(target, '/users'),
    asset: await send(target, asset!),
    answer: await send(target, '/api/users?limit=1', { headers: session }),
    'no session': await send(target, '/api/users'),
    'unknown call': await send(target, '/api/nothing'),
    'unknown file': await send(target, '/assets/nothing.js'),
    'unreadable address': await send(target, '/api/users/%ff'),
    'wrong method': await send(target, '/api/users', { method: 'DELETE' }),
    'broken body': await sendJson(target, 'POST', '/api/auth/login', '{'),
    'another type': await send(target, '/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'a',
    }),
    live: await send(target, '/live'),
  }
}

const always: Record<string, RegExp> = {
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^no-referrer$/,
  'content-security-policy': /frame-ancestors 'none'/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
}

export const headerChecks: LiveCheck[] = [
  {
    name: 'every reply carries the security headers',
    needs: 'session',
    run: async (target) => {
      for (const [what, { headers }] of Object.entries(await collectReplies(target))) {
        for (const [name, wanted] of Object.entries(always))
          assert.match(String(headers[name]), wanted, `${name} of ${what}`)
        for (const name of ['server', 'x-powered-by']) assert.equal(headers[name], undefined, `${name} of ${what}`)
        if (what !== 'asset') assert.equal(headers['cache-control'], 'no-store', `cache-control of ${what}`)
      }
    },
  },
  {
    name: 'over https every reply says to stay there',
    needs: 'session',
    run: async (target) => {
      for (const [what, { headers }] of Object.entries(await collectReplies(target))) {
        const given = headers['strict-transport-security']
        if (target.url.protocol === 'http:') assert.equal(given, undefined, what)
        else assert.ok(Number(/max-age=(\d+); includeSubDomains/.exec(given ?? '')?.[1]) >= 31_536_000, what)
      }
    },
  },
  {
    name: 'every body names its type',
    needs: 'session',
    run: async (target) => {
      for (const [what, { headers, text }] of Object.entries(await collectReplies(target))) {
        if (text === '') continue
        assert.match(String(headers['content-type']), /^(text|application|image)\/[a-z+-]+; charset=utf-8$/, what)
      }
    },
  },
  {
    name: 'the policy of the page runs our own files alone',
    run: async (target) => {
      const policy = String((await send(target, '/')).headers['content-security-policy'])
      for (const part of [
        "default-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ])
        assert.ok(policy.includes(part), part)
      assert.match(policy, /script-src 'self'(;|$)/)
      assert.doesNotMatch(policy, /unsafe-(inline|eval)|\*|https?:/)
    },
  },
  {
    name: 'calls forbid everything as a page',
    needs: 'session',
    run: async (target) => {
      const { headers } = await send(target, '/api/users', { headers: await useSession(target) })
      assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
    },
  },
  {
    name: 'a page holds no inline script',
    run: async (target) => {
      const { text } = await send(target, '/')
      for (const [, attributes, script] of text.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)) {
        assert.match(attributes!, /src="/)
        assert.equal(script, '')
      }
      assert.doesNotMatch(text, /\son[a-z]+\s*=/i)
    },
  },
  {
    name: 'a page loads its own files alone',
    run: async (target) => {
      const { text } = await send(target, '/')
      for (const [, path] of text.matchAll(/(?:src|href)="([^"]+)"/g)) assert.match(path!, /^\/(?!\/)/)
    },
  },
  {
    name: 'no other origin may read answers',
    needs: 'session',
    run: async (target) => {
      const headers = { ...(await useSession(target)), origin: 'https://elsewhere.example' }
      for (const path of ['/api/users', '/api/auth/user', '/api/nothing']) {
        const reply = await send(target, path, { headers })
        const allowed = Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))
        assert.deepEqual(allowed, [], path)
      }
    },
  },
  {
    name: 'cookies are bound to their purpose',
    needs: 'session',
    run: async (target) => {
      const cookies = readSetCookies(await shareSignIn(target))
      assert.ok(cookies.length > 0)
      for (const cookie of cookies) {
        assert.match(cookie, /; HttpOnly/i)
        assert.match(cookie, /; SameSite=Strict/i)
        assert.match(cookie, /; Path=\/(;|$)/i)
        assert.doesNotMatch(cookie, /; Domain=/i)
        assert.ok(cookie.length < 4096)
        if (target.url.protocol === 'https:') assert.match(cookie, /^__Host-.*; Secure/i)
      }
    },
  },
  {
    name: 'the token of a session is in its cookie alone',
    needs: 'session',
    run: async (target) => {
      const reply = await shareSignIn(target)
      const cookie = readSession(reply)
      const token = cookie.split('=')[1]!
      const { 'set-cookie': _cookies, ...others } = reply.headers
      assert.ok(!reply.text.includes(token) && !JSON.stringify(others).includes(token))
      for (const path of ['/api/auth/user', '/api/account', '/api/account/sessions']) {
        const { text } = await send(target, path, { headers: { cookie } })
        assert.ok(!text.includes(token), path)
      }
    },
  },
]
