import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** What the console runs or serves, by path. */
const sources = Object.fromEntries(
  globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.ts'] }).map((path) => [path, read(path)]),
)
const server = Object.fromEntries(Object.entries(sources).filter(([path]) => path.startsWith('src/server/')))
const web = Object.fromEntries(Object.entries(sources).filter(([path]) => path.startsWith('src/web/')))

/** Throws with each line that the expression finds, but for files that are allowed to. */
function forbid(files: Record<string, string>, found: RegExp, allowed: RegExp = /^$/) {
  const lines = Object.entries(files)
    .filter(([path]) => !allowed.test(path))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, at) => (found.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
    )
  assert.deepEqual(lines, [])
}

/** Throws unless exactly these files hold what the expression finds. */
function expectIn(files: Record<string, string>, found: RegExp, wanted: string[]) {
  const paths = Object.entries(files).flatMap(([path, text]) => (found.test(text) ? [path] : []))
  assert.deepEqual(paths.toSorted(), wanted.toSorted())
}

interface LockedPackage {
  integrity?: string
  link?: boolean
  resolved?: string
}

/** Checks of the sources, by what they claim. Each throws where it does not hold. */
export const sourceChecks: Record<string, () => void> = {
  'no markup and no SQL is made by joining texts': () => {
    forbid(
      sources,
      /innerHTML|outerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write|createContextualFragment/,
    )
    // Values of SQL are parameters: a template that holds a value of a request beside quotes would be one.
    forbid(server, /'\$\{(?:request|query|body|params|given|search)\b[^}]*\}'/)
  },
  'the server starts no shell': () => {
    forbid(sources, /\bexecSync\(|\bexec\(['"`]|shell: true/)
  },
  'no expression is made from a text of others': () => {
    // excerpt.ts escapes what it looks for.
    forbid(sources, /new RegExp\((?![`'"])/, /adapters\/excerpt\.ts$/)
    assert.match(sources['src/server/adapters/excerpt.ts']!, /escape/i)
  },
  'nothing is evaluated': () => forbid(sources, /\beval\(|new Function\(|setTimeout\(['"`]|node:vm|from 'vm'/),
  'log messages are constant': () =>
    forbid(server, /\blog\.(?:trace|debug|info|warn|error|fatal)\((?:`[^`]*\$\{(?!known\.message)|[a-z]\w*\))/),
  'no call asks for hints of a password': () =>
    forbid(sources, /password_?hint|securityQuestion|secret question/i, /^$/),
  'secrets come from the random numbers of the system': () => {
    // Elsewhere it spreads pauses, and names drafts of files.
    forbid(server, /Math\.random\(/, /pauses?\.ts$|db\/client\.ts$|live\/hub\.ts$|postmaster\.ts$|file-store\.ts$/)
    for (const path of ['auth/sessions.ts', 'auth/factors/recovery-codes.ts', 'messages/endpoint-changes.ts'])
      assert.match(sources[`src/server/features/${path}`]!, /randomBytes\(/, path)
  },
  'the page uses no dropped technology': () =>
    forbid(web, /<applet|<object[ >][^>]*data=|<embed\b|ActiveX|\.swf|javascript:|document\.domain/i),
  'cryptography comes from known places': () => {
    forbid(server, /from '(?:crypto-js|bcrypt|bcryptjs|md5|sha\.js|tweetnacl|node-forge|uuid)'/)
    forbid(
      server,
      /from '(?:node:crypto|@node-rs\/argon2|@noble\/hashes[^']*|otpauth|@simplewebauthn\/[^']*|openid-client|jose)'.*(?:md5|des|rc4)/i,
    )
  },
  'secrets are compared in constant time': () => {
    expectIn(server, /\btimingSafeEqual\(/, [
      'src/server/adapters/standard-webhooks.ts',
      'src/server/core/signing-keys.ts',
      'src/server/features/kyc-results/providers/veriff.ts',
      'src/server/lib/hash.ts',
      'src/server/platform/authenticate.ts',
    ])
    forbid(
      server,
      /(?:\bmac|signature|digest|secret|token)\s*===\s*(?!null|undefined|'')\w/i,
      /\/openapi\/|audit-chain\/verify\.ts$/,
    )
  },
  'ciphers are AES-256-GCM': () => {
    const ciphers = Object.entries(server).filter(([, text]) => /createCipheriv\(/.test(text))
    assert.ok(ciphers.length > 0)
    for (const [path, text] of ciphers) {
      assert.match(text, /'aes-256-gcm'/, path)
      assert.doesNotMatch(text, /'aes-(?!256-gcm)|'des|'rc4|chacha/i, path)
    }
    forbid(server, /RSA_PKCS1_PADDING|createCipher\(/)
  },
  'each encryption has a new number': () => {
    for (const [path, text] of Object.entries(server))
      if (/createCipheriv\(/.test(text)) assert.match(text, /randomBytes\(|counter/i, path)
  },
  'weak hashes are used where a provider signs with them alone': () => {
    forbid(server, /['"]md5['"]|createHash\(['"]sha1/i)
    // Codes of authenticator apps are HMAC-SHA1 by RFC 6238.
    expectIn(server, /'SHA1'|'sha1'/, [
      'src/server/features/auth/factors/totp.ts',
      'src/server/features/kyc-results/providers/sumsub.ts',
    ])
  },
  'no secret is in the sources': () => {
    forbid(sources, /-----BEGIN (?:RSA |EC )?PRIVATE KEY|AKIA[0-9A-Z]{16}|ghp_\w{36}|xox[bp]-\w+/)
  },
  'every dependency is locked by its hash': () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> }
    const loose = Object.entries(packages).filter(
      ([path, { integrity, link }]) => path !== '' && !link && !integrity?.startsWith('sha512-'),
    )
    assert.deepEqual(
      loose.map(([path]) => path),
      [],
    )
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      assert.match(version, /^\d/, name)
  },
}
