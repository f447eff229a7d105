// An OpenID provider for tests, in a process of its own: `oidc-provider` with accounts that the tests set by messages.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Provider } from 'oidc-provider'

const { port, redirectUris } = JSON.parse(process.argv[2])
const issuer = `http://127.0.0.1:${port}`
/** The claims of each account, by subject. */
const accounts = new Map()

const client = { redirect_uris: redirectUris, grant_types: ['authorization_code'], response_types: ['code'] }
const provider = new Provider(issuer, {
  clients: [
    {
      ...client,
      client_id: 'console',
      client_secret: 'a-secret-of-the-tests-0123456789',
      token_endpoint_auth_method: 'client_secret_post',
    },
    { ...client, client_id: 'public-console', token_endpoint_auth_method: 'none' },
  ],
  claims: {
    openid: ['sub', 'acr', 'amr'],
    profile: ['preferred_username', 'name', 'groups', 'email', 'email_verified'],
  },
  cookies: { keys: ['a key of the tests'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  ttl: { AuthorizationCode: 60, AccessToken: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
  findAccount: (_ctx, sub) => accounts.has(sub) && { accountId: sub, claims: () => ({ sub, ...accounts.get(sub) }) },
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
    grant.addOIDCScope('openid profile')
    await grant.save()
    return grant
  },
})

// The browser's clock may be another than that of the tests, so a cookie lasts as long as the browser does.
provider.use(async (ctx, next) => {
  await next()
  const cookies = ctx.response.headers['set-cookie']
  if (cookies)
    ctx.set(
      'set-cookie',
      cookies.map((cookie) => cookie.replace(/; expires=[^;]+/i, '')),
    )
})

const page = `<!doctype html><html lang="en"><title>Example ID</title><h1>Example ID</h1>
  <form method="post"><label>Account <input name="account" /></label><label>Methods <input name="amr" /></label>
  <button>Continue</button><button name="cancel" value="1">Cancel</button></form></html>`

async function interact(request, response) {
  if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end(page)
  const given = new URLSearchParams(await text(request))
  const amr = given.get('amr')?.split(' ').filter(Boolean)
  const result = given.has('cancel')
    ? { error: 'access_denied', error_description: '<b>text of the provider</b>' }
    : { login: { accountId: given.get('account'), ...(amr?.length > 0 && { amr }) } }
  return provider.interactionFinished(request, response, result)
}

const answer = provider.callback()
const server = createServer((request, response) =>
  request.url.startsWith('/interaction/') && request.url.split('/').length === 3
    ? void interact(request, response)
    : void answer(request, response),
)
process.on('message', ({ subject, claims }) => {
  if (claims) accounts.set(subject, claims)
  else accounts.delete(subject)
  process.send({ done: subject })
})
process.on('disconnect', () => process.exit(0))
server.listen(port, '127.0.0.1', () => process.send({ ready: issuer }))
