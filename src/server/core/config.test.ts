import { expect, test } from 'vitest'
import { password, startServer } from '#test/support/server.ts'
import { readConfig, SettingError } from './config.ts'

test.each<[string, Record<string, string>, string]>([
  ['no number', { PORT: 'x' }, 'PORT must be a port from 0 to 65535'],
  ['a hexadecimal number', { PORT: '0x10' }, 'PORT must be a port from 0 to 65535'],
  ['an exponent', { PORT: '3e3' }, 'PORT must be a port from 0 to 65535'],
  ['a negative number', { PORT: '-1' }, 'PORT must be a port from 0 to 65535'],
  ['too great a number', { PORT: '65536' }, 'PORT must be a port from 0 to 65535'],
  ['a bucket of another kind', { BACKUP_TO: 'gs://kept/' }, 'BACKUP_TO must be a folder, or a bucket such as s3://'],
  ['a scheme in capitals', { BACKUP_TO: 'S3://kept/' }, 'BACKUP_TO must be a folder, or a bucket such as s3://'],
  ['a file address', { WAL_ARCHIVE: 'file:///srv/log' }, 'WAL_ARCHIVE must be a folder, or a bucket such as s3://'],
  ['a bucket for the data', { DATA_DIR: 's3://kept/' }, 'DATA_DIR must be a path on this machine, not an address'],
  ['an address for alarms', { ALARMS_LOG: 'https://siem.example' }, 'ALARMS_LOG must be a path on this machine'],
  ['a bucket without its account', { BACKUP_TO: 's3://kept/' }, 'BACKUP_TO needs BACKUP_ACCESS_KEY_ID and'],
  [
    'half an account',
    { BACKUP_TO: 's3://kept/', BACKUP_ACCESS_KEY_ID: 'a' },
    'BACKUP_SECRET_ACCESS_KEY must be set too',
  ],
  [
    'an archive of another database',
    { WAL_ARCHIVE: '/log', DATABASE_URL: 'postgres:///x' },
    'WAL_ARCHIVE is for the embedded',
  ],
  ['no bucket', { BACKUP_TO: 's3://' }, 'BACKUP_TO must be like s3://bucket/folder'],
  [
    'a bucket over plain http',
    { BACKUP_TO: 's3://kept/?endpoint=http://10.0.0.9', BACKUP_ACCESS_KEY_ID: 'a', BACKUP_SECRET_ACCESS_KEY: 'b' },
    'BACKUP_TO would carry back-ups over plain http',
  ],
  ['an address with a scheme', { HOST: 'http://127.0.0.1' }, 'HOST must be an IP address or a host name'],
  ['an address with a port', { HOST: '127.0.0.1:3000' }, 'HOST must be an IP address or a host name'],
  ['a number that is not an address', { HOST: '127.1' }, 'HOST must be an IP address or a host name'],
  ['all addresses over plain http', { HOST: '0.0.0.0' }, 'HOST would carry passwords over plain http; set PUBLIC_URL'],
  ['a loopback address that is served to all', { HOST: '::', PUBLIC_URL: 'http://localhost' }, 'HOST would carry'],
  ['no URL', { PUBLIC_URL: 'console.example' }, 'PUBLIC_URL must be a URL that starts with http:// or https://'],
  ['plain http for others', { PUBLIC_URL: 'http://console.example' }, 'PUBLIC_URL would carry passwords'],
  ['a path', { PUBLIC_URL: 'https://console.example/office' }, 'PUBLIC_URL must be scheme, host and port alone'],
  ['a query', { PUBLIC_URL: 'https://console.example?a=b' }, 'PUBLIC_URL must be scheme, host and port alone'],
  ['credentials', { PUBLIC_URL: 'https://a:secret@console.example' }, 'PUBLIC_URL must be scheme, host and port alone'],
  ['neither on nor off', { ALLOW_INSECURE_HTTP: 'yes' }, 'ALLOW_INSECURE_HTTP must be on or off'],
  ['neither on nor off', { DEMO: 'true' }, 'DEMO must be on or off'],
  [
    'another database',
    { DATABASE_URL: 'mysql://a:secret@b/c' },
    'DATABASE_URL must be a URL that starts with postgres',
  ],
  [
    'a database elsewhere',
    { DATABASE_URL: 'postgres://a:secret@db/c' },
    'DATABASE_URL would carry passwords and members',
  ],
  ['a second host elsewhere', { DATABASE_URL: 'postgres://localhost,db/c' }, 'DATABASE_URL would carry passwords'],
  ['an empty host', { DATABASE_URL: 'postgres://localhost,/c' }, 'DATABASE_URL must'],
  ['a wish for a standby', { DATABASE_URL: 'postgres://localhost/c?target_session_attrs=any' }, 'target_session_attrs'],
  ['no check of the server', { DATABASE_URL: 'postgres://db/c?sslmode=require' }, 'DATABASE_URL would carry passwords'],
  ['a way past no pooler', { DATABASE_DIRECT_URL: 'postgres://localhost/c' }, 'DATABASE_DIRECT_URL needs DATABASE_URL'],
  ['a standby of no primary', { DATABASE_READ_URL: 'postgres://localhost/c' }, 'DATABASE_READ_URL needs DATABASE_URL'],
  [
    'two standbys',
    { DATABASE_URL: 'postgres://localhost/c', DATABASE_READ_URL: 'postgres://localhost,localhost:5433/c' },
    'DATABASE_READ_URL names one host',
  ],
  [
    'a standby elsewhere',
    { DATABASE_URL: 'postgres://localhost/c', DATABASE_READ_URL: 'postgres://db2/c' },
    'DATABASE_READ_URL would carry passwords',
  ],
  ['neither on nor off', { DATABASE_PREPARE: '0' }, 'DATABASE_PREPARE must be on or off'],
  ['a host beside the name', { DATABASE_URL: 'postgres://localhost/c?host=db' }, 'DATABASE_URL would carry passwords'],
  ['neither on nor off', { ALLOW_INSECURE_DATABASE: '1' }, 'ALLOW_INSECURE_DATABASE must be on or off'],
  ['14 characters', { ADMIN_PASSWORD: 'a'.repeat(14) }, 'ADMIN_PASSWORD must have 15 to 128 characters'],
  ['129 characters', { ADMIN_PASSWORD: 'a'.repeat(129) }, 'ADMIN_PASSWORD must have 15 to 128 characters'],
  ['a mode of second factors that is not one', { AUTH_MFA: 'on' }, 'AUTH_MFA must be optional or required'],
  ['a provider without an id', { OIDC_ISSUER: 'https://id.example' }, 'OIDC_CLIENT_ID must be set where OIDC_ISSUER'],
  ['an id without a provider', { OIDC_CLIENT_ID: 'console' }, 'OIDC_CLIENT_ID needs OIDC_ISSUER'],
  [
    'a provider over plain http',
    { OIDC_ISSUER: 'http://id.example', OIDC_CLIENT_ID: 'console', ALLOW_INSECURE_HTTP: 'on' },
    'OIDC_ISSUER must be an https address',
  ],
  [
    'a provider with a query',
    { OIDC_ISSUER: 'https://id.example?a=b' },
    'OIDC_ISSUER must be an address without query',
  ],
  ['a role that is not one', { OIDC_ROLES: 'staff=admin' }, 'OIDC_ROLES must be groups with their roles'],
  ['a group without a role', { OIDC_ROLES: 'staff' }, 'OIDC_ROLES must be groups with their roles'],
  ['a group twice', { OIDC_ROLES: 'staff=viewer, staff=finance' }, '"staff=finance" is not'],
  ['scopes without openid', { OIDC_SCOPES: 'profile' }, 'OIDC_SCOPES must hold openid'],
  ['too long a name', { OIDC_NAME: 'n'.repeat(41) }, 'OIDC_NAME must have at most 40 characters'],
  ['nobody who signs in', { LOCAL_SIGN_IN: 'off' }, 'LOCAL_SIGN_IN=off needs OIDC_ISSUER'],
  ['more than five minutes', { DRAIN_SECONDS: '301' }, 'DRAIN_SECONDS must be a whole number from 0 to 300'],
  ['no jobs for an embedded database', { JOBS: 'off' }, 'JOBS=off needs DATABASE_URL'],
  ['no time for a lease', { LEASE_SECONDS: '0' }, 'LEASE_SECONDS must be a whole number from 1 to 300'],
  ['no hours for approvals', { APPROVAL_HOURS: '0' }, 'APPROVAL_HOURS must be a whole number from 1 to 720'],
  ['no hours for KYC', { KYC_TARGET_HOURS: '0' }, 'KYC_TARGET_HOURS must be a whole number from 1 to 8760'],
  ['31 bytes', { TOTP_KEY: Buffer.alloc(31).toString('base64') }, 'TOTP_KEY must be 32 random bytes in base64'],
  ['no secret for alarms', { ALARMS_URL: 'https://siem.example' }, 'ALARMS_SECRET must be whsec_'],
  ['alarms over plain http', { ALARMS_URL: 'http://siem.example' }, 'ALARMS_URL must be an https address'],
  [
    'syslog over plain TCP',
    { ALARMS_SYSLOG: 'tcp://siem.example:601' },
    'ALARMS_SYSLOG must be tls://host:port; tcp://',
  ],
  ['syslog over UDP', { ALARMS_SYSLOG: 'udp://127.0.0.1:514' }, 'ALARMS_SYSLOG must be a URL that starts with tls://'],
  ['a path of syslog', { ALARMS_SYSLOG: 'tls://siem.example/logs' }, 'ALARMS_SYSLOG must be tls://host:port'],
  ['no sender of mails', { SMTP_URL: 'smtps://mail.example' }, 'MAIL_FROM must be set too'],
  ['no mail server', { MAIL_FROM: 'console@example.com' }, 'SMTP_URL must be set too'],
  ['a mail server over http', { SMTP_URL: 'https://mail.example' }, 'SMTP_URL must be a URL that starts with smtps://'],
  ['a path of a mail server', { SMTP_URL: 'smtps://mail.example/x' }, 'SMTP_URL must be smtps://user:password@host'],
  ['a mail user without a password', { SMTP_URL: 'smtps://ada@mail.example' }, 'SMTP_URL must have both a user and a'],
  [
    'a sender without an address',
    { SMTP_URL: 'smtps://x.example', MAIL_FROM: 'Console' },
    'MAIL_FROM must be an e-mail',
  ],
  ['no severity', { ALARMS_MIN_SEVERITY: 'info' }, 'ALARMS_MIN_SEVERITY must be critical, high, medium, low'],
  ['no mode of sessions', { SESSION_NETWORK: 'on' }, 'SESSION_NETWORK must be step-up, event, off'],
  ['31 characters', { PLATFORM_API_KEY: 'k'.repeat(31) }, 'PLATFORM_API_KEY must have 32 characters or more'],
  ['a key with a blank', { PLATFORM_API_KEY: `two ${'k'.repeat(31)}` }, 'PLATFORM_API_KEY must be of visible ASCII'],
  ['a key no header holds', { PLATFORM_API_KEY: 'é'.repeat(32) }, 'PLATFORM_API_KEY must be of visible ASCII'],
  ['too long a key', { PLATFORM_API_KEY: 'k'.repeat(513) }, 'PLATFORM_API_KEY must have at most 512 characters'],
  ['a file', { PLATFORM_WEBHOOK_URL: 'file:///etc/passwd' }, 'PLATFORM_WEBHOOK_URL must be a URL'],
  ['no URL', { KYC_WEBHOOK_URL: 'provider' }, 'KYC_WEBHOOK_URL must be a URL'],
  ['plain http', { KYC_WEBHOOK_URL: 'http://kyc.example' }, 'KYC_WEBHOOK_URL would carry members'],
  ['no secret', { KYC_WEBHOOK_URL: 'https://kyc.example' }, 'KYC_WEBHOOK_SECRET must be whsec_ and 24 to 64 bytes'],
  ['no secret for events', { PLATFORM_WEBHOOK_URL: 'https://shop.example' }, 'PLATFORM_WEBHOOK_SECRET must be whsec_'],
  [
    'three secrets',
    {
      KYC_WEBHOOK_SECRET: Array(3)
        .fill(`whsec_${'a'.repeat(32)}`)
        .join(),
    },
    'KYC_WEBHOOK_SECRET must be whsec_',
  ],
  ['a secret of Sumsub that is too short', { SUMSUB_WEBHOOK_SECRET: 'short' }, 'SUMSUB_WEBHOOK_SECRET must have 16'],
  ['too short a key of Veriff', { VERIFF_API_KEY: 'short' }, 'VERIFF_API_KEY must have 16 to 512 characters'],
  ['a key of Veriff alone', { VERIFF_API_KEY: 'k'.repeat(36) }, 'VERIFF_WEBHOOK_SECRET must be set too'],
  ['a secret of Veriff alone', { VERIFF_WEBHOOK_SECRET: 's'.repeat(36) }, 'VERIFF_API_KEY must be set too'],
  ['too long a secret of Veriff', { VERIFF_WEBHOOK_SECRET: 's'.repeat(513) }, 'VERIFF_WEBHOOK_SECRET must have 16'],
  ['too short a secret', { KYC_WEBHOOK_SECRET: `whsec_${'a'.repeat(28)}` }, 'KYC_WEBHOOK_SECRET must be whsec_ and 24'],
  ['a secret in no base64', { KYC_WEBHOOK_SECRET: `whsec_${'a!'.repeat(16)}` }, 'KYC_WEBHOOK_SECRET must be whsec_'],
  ['neither on nor off', { WEBHOOK_ALLOW_PRIVATE: '1' }, 'WEBHOOK_ALLOW_PRIVATE must be on or off'],
  ['an unknown mode', { CHAIN_MODE: 'mainnet' }, 'CHAIN_MODE must be auto, rpc, embedded, off'],
  ['a node over plain http', { BSC_RPC_URLS: 'https://one.example http://two.example' }, 'BSC_RPC_URLS would read'],
  [
    'a node for logs',
    { BSC_LOGS_RPC_URLS: 'http://two.example' },
    'BSC_LOGS_RPC_URLS would read transfers over plain http',
  ],
  ['no URL among them', { BSC_RPC_URLS: 'https://one.example, two' }, 'BSC_RPC_URLS must be URLs'],
  ['a name', { TRUST_PROXY: 'proxy' }, 'TRUST_PROXY must be IP addresses or networks'],
  ['an impossible network', { TRUST_PROXY: '127.0.0.1, 10.0.0.0/99' }, 'separated by commas; "10.0.0.0/99" is not one'],
  ['a network without a size', { TRUST_PROXY: '10.0.0.0/' }, 'TRUST_PROXY must be'],
  ['everybody', { TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY must be'],
  ['an unknown level', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be fatal, error'],
])('%s stops the start with one line that names the setting: %o (product 13.2)', (_what, given, line) => {
  const refusal = (() => {
    try {
      readConfig(given)
    } catch (error) {
      return error
    }
  })()
  expect(refusal).toBeInstanceOf(SettingError)
  const { message } = refusal as SettingError
  expect(message).toContain(line)
  expect(message).not.toMatch(/\n|secret|a{14}|k{31}/)
})

test('without settings the console serves this machine alone, with a demo platform (product 13.2)', () => {
  const { publicUrl, dataDir, ...config } = readConfig({})
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    isHttps: false,
    databaseUrl: undefined,
    isDemoWanted: true,
    firstAdmin: { username: 'admin', password: undefined },
    alarms: { url: undefined, secrets: [], log: undefined, syslogUrl: undefined, minSeverity: 'low' },
    sessionNetwork: 'step-up',
    kycWebhookUrl: undefined,
    platformWebhookSecrets: [],
    kycWebhookSecrets: [],
    sumsubWebhookSecret: undefined,
    veriff: undefined,
    webhookAllowPrivate: false,
    chainMode: 'auto',
    bscRpcUrls: [],
    chain: {
      chainId: 56,
      multicall3: '0xca11bde05977b3631167028862be2a173976ca11',
      timeoutMs: 4000,
      deadlineMs: 10_000,
      logsUrls: [],
    },
    indexer: {
      isOn: true,
      startBlock: undefined,
      confirmations: undefined,
      maxRange: 2000,
      topicChunk: 200,
      pollMs: undefined,
    },
    trustProxy: false,
    logLevel: 'warn',
  })
  expect(publicUrl.origin).toBe('http://127.0.0.1:3000')
  expect(dataDir).toBe(`${process.cwd()}/data`)
})

test('a blank value counts as unset, and blanks around a value are dropped (product 13.2)', () => {
  const names = ['PORT', 'HOST', 'PUBLIC_URL', 'DATABASE_URL', 'DEMO', 'ADMIN_USERNAME', 'ADMIN_PASSWORD']
  const webhooks = ['KYC_WEBHOOK_URL', 'KYC_WEBHOOK_SECRET', 'WEBHOOK_ALLOW_PRIVATE']
  const more = [...webhooks, 'PLATFORM_API_KEY', 'CHAIN_MODE', 'BSC_RPC_URLS', 'TRUST_PROXY', 'LOG_LEVEL']
  const unset = JSON.stringify(readConfig({}))
  for (const value of ['', '  \t'])
    expect(JSON.stringify(readConfig(Object.fromEntries([...names, ...more].map((name) => [name, value]))))).toBe(unset)
  expect(readConfig({ PORT: ' 8080\n', HOST: ' localhost ', DEMO: 'off ' })).toMatchObject({
    port: 8080,
    host: 'localhost',
    isDemoWanted: false,
  })
  const padded = ` ${password} `
  expect(readConfig({ ADMIN_PASSWORD: padded }).firstAdmin.password).toBe(padded)
})

test('https, loopback or an explicit wish is enough to serve passwords (product 13.2)', () => {
  expect(readConfig({ HOST: '0.0.0.0', PUBLIC_URL: 'https://console.example/' })).toMatchObject({ isHttps: true })
  expect(readConfig({ HOST: '0.0.0.0', ALLOW_INSECURE_HTTP: 'on' })).toMatchObject({ isHttps: false })
  for (const host of ['localhost', '127.0.0.2', '::1']) expect(readConfig({ HOST: host }).host).toBe(host)
})

test.each([
  'postgres://a:b@127.0.0.1:5432/c',
  'postgres://a:b@localhost/c?sslmode=disable',
  'postgres://[::1]/c',
  'postgres://localhost/c?host=/var/run/postgresql',
  'postgres://%2Fvar%2Frun%2Fpostgresql/c',
  'postgres://a:b@127.0.0.1:5432,localhost:5433/c?target_session_attrs=read-write',
  'postgres://a:b@one.internal,two.internal/c?sslmode=verify-full',
  'postgres://a:b@db.internal/c?sslmode=verify-full',
  'postgres://a:b@db.internal/c?sslmode=verify-full&sslrootcert=/etc/ca.pem',
])('%s is a connection that others can neither read nor change (product 13.2)', (address) => {
  expect(readConfig({ DATABASE_URL: address }).databaseUrl).toBe(address)
})

test('an explicit wish is enough for a database or a node over an open connection (product 13.2)', () => {
  const address = 'postgres://a:b@db/c'
  expect(readConfig({ DATABASE_URL: address, ALLOW_INSECURE_DATABASE: 'on' }).databaseUrl).toBe(address)
  const nodes = { BSC_RPC_URLS: 'http://node.internal:8545', ALLOW_INSECURE_HTTP: 'on' }
  expect(readConfig(nodes).bscRpcUrls).toEqual(['http://node.internal:8545'])
})

test('with DATABASE_URL nothing is ever filled in (product 13.4)', () => {
  expect(readConfig({ DATABASE_URL: 'postgres://a@localhost/c', DEMO: 'on' }).isDemoWanted).toBe(false)
})

test('RPC addresses are read as a list', () => {
  expect(readConfig({ BSC_RPC_URLS: 'https://one.example, http://127.0.0.1:8545' }).bscRpcUrls).toEqual([
    'https://one.example',
    'http://127.0.0.1:8545',
  ])
})

test('a proxy is trusted by its address or network, also as mapped IPv6', () => {
  const { trustProxy } = readConfig({ TRUST_PROXY: '192.0.2.7, 10.0.0.0/8 2001:db8::/32' })
  const trusts = (address: string) => trustProxy && trustProxy(address)
  const believed = ['192.0.2.7', '10.9.8.7', '::ffff:10.9.8.7', '2001:db8::1']
  const strange = ['192.0.2.8', '11.0.0.1', '::ffff:11.0.0.1', '2001:db9::1', 'unknown', '']
  expect([...believed, ...strange].filter(trusts)).toEqual(believed)
})

test('X-Forwarded-For is believed from a trusted proxy, and from nobody else (product 13.2)', async () => {
  const [believing, wary] = await Promise.all([startServer({ TRUST_PROXY: '127.0.0.1' }), startServer()])
  for (const [server, address] of [
    [believing, '198.51.100.9'],
    [wary, '127.0.0.1'],
  ] as const) {
    const login = { username: 'ada', password: 'not the password' }
    const from = { 'x-forwarded-for': '203.0.113.5, 198.51.100.9' }
    await server.as('ada')('GET', '/api/auth/user')
    expect((await server.as(null)('POST', '/api/auth/login', login, from)).statusCode).toBe(401)
    const told = await server.sql('SELECT host(ip_address::inet) AS ip FROM security_events ORDER BY id DESC LIMIT 1')
    expect(told).toEqual([{ ip: address }])
    await server.as('ada')('POST', '/api/auth/logout', {}, from)
    const [row] = await server.sql('SELECT host(ip_address::inet) AS ip FROM audit_log ORDER BY id DESC LIMIT 1')
    expect(row).toEqual({ ip: address })
  }
})

test('a stop drains behind a proxy alone, unless it is set (product 13.5)', () => {
  const drain = (environment: Record<string, string>) => readConfig(environment).drainSeconds
  expect([drain({}), drain({ TRUST_PROXY: '10.0.0.1' }), drain({ DRAIN_SECONDS: '20' })]).toEqual([0, 7, 20])
  expect(drain({ TRUST_PROXY: '10.0.0.1', DRAIN_SECONDS: '0' })).toBe(0)
})
