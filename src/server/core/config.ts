import { resolve } from 'node:path'
import { secretRule } from '#server/adapters/standard-webhooks.ts'
import { splitHosts } from '#server/lib/database-url.ts'
import { isLoopback, isLoopbackName } from '#server/lib/loopback.ts'
import { readBackupSettings } from './backup-settings.ts'
import { readBucket, readCredentials } from './bucket-settings.ts'
import type { Config, OidcSettings } from './config-type.ts'
import { readEnvironment } from './environment.ts'
import { SettingError } from './setting-error.ts'
import { Settings, type SettingValues } from './settings.ts'

export type { Config, OidcSettings } from './config-type.ts'
export { SettingError } from './setting-error.ts'

/** Longer than the checks of usual proxies take to notice: HAProxy asks every 2 seconds and believes the third answer. */
const drainBehindProxy = 7

/** How browsers reach the console. Throws SettingError where passwords would go over plain http. */
function readPublicUrl({ HOST, PORT, PUBLIC_URL, ALLOW_INSECURE_HTTP }: SettingValues): URL {
  const host = HOST.includes(':') ? `[${HOST}]` : HOST
  const publicUrl = new URL(PUBLIC_URL ?? `http://${host}:${PORT}`)
  if (publicUrl.protocol === 'https:' || ALLOW_INSECURE_HTTP === 'on') return publicUrl
  const bare = [
    PUBLIC_URL && !isLoopbackName(publicUrl.hostname) ? 'PUBLIC_URL' : undefined,
    isLoopbackName(host) ? undefined : 'HOST',
  ].find(Boolean)
  if (bare)
    throw new SettingError(
      `${bare} would carry passwords over plain http; set PUBLIC_URL to an https address, or ALLOW_INSECURE_HTTP=on`,
    )
  return publicUrl
}

/** Whether a connection stays on this machine: by a socket in a folder, or to a loopback address. */
function isLocalDatabase({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') || decodeURIComponent(hostname)
  return host === '' || host.startsWith('/') || isLoopbackName(host)
}

/** Throws SettingError where passwords, members or transfers would come or go over a connection that others can read or change. */
function checkEncryption(set: SettingValues): void {
  for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL'] as const) {
    const hosts = set[name] === undefined ? [] : splitHosts(set[name]).map((host) => new URL(host))
    const isVerified = hosts[0]?.searchParams.getAll('sslmode').at(-1) === 'verify-full'
    if (!hosts.every(isLocalDatabase) && !isVerified && set.ALLOW_INSECURE_DATABASE !== 'on')
      throw new SettingError(
        `${name} would carry passwords and members' data over a connection that is not verified; add ?sslmode=verify-full (and sslrootcert=<file> for a certificate authority of your own), or set ALLOW_INSECURE_DATABASE=on`,
      )
  }
  if (set.ALLOW_INSECURE_HTTP === 'on') return
  for (const name of ['KYC_WEBHOOK_URL', 'PLATFORM_WEBHOOK_URL'] as const) {
    const address = set[name]
    if (address?.startsWith('http:') && !isLoopback(address))
      throw new SettingError(
        `${name} would carry members' data over plain http; set it to an https address, or ALLOW_INSECURE_HTTP=on`,
      )
  }
  for (const name of ['AUDIT_ANCHOR_URL', 'ALARMS_URL'] as const)
    if (set[name]?.startsWith('http:') && !isLoopback(set[name]))
      throw new SettingError(`${name} must be an https address, or set ALLOW_INSECURE_HTTP=on`)
  for (const name of ['BSC_RPC_URLS', 'BSC_LOGS_RPC_URLS'] as const)
    if (set[name].some((address) => new URL(address).protocol === 'http:' && !isLoopback(address)))
      throw new SettingError(
        `${name} would read transfers over plain http, where others can change them; name https addresses, or set ALLOW_INSECURE_HTTP=on`,
      )
}

/** Throws SettingError where settings contradict each other, or one is missing that another needs. */
function checkCombinations(set: SettingValues): void {
  if (set.DATABASE_OWNER_URL && !set.DATABASE_URL)
    throw new SettingError('DATABASE_OWNER_URL needs DATABASE_URL, the account that the server runs with')
  if (set.DATABASE_DIRECT_URL && !set.DATABASE_URL)
    throw new SettingError('DATABASE_DIRECT_URL needs DATABASE_URL, which leads to the pooler')
  if (set.JOBS === 'off' && !set.DATABASE_URL)
    throw new SettingError('JOBS=off needs DATABASE_URL: nobody else can run the jobs of an embedded database')
  if (set.CHAIN_MODE === 'rpc' && set.BSC_RPC_URLS.length === 0)
    throw new SettingError('BSC_RPC_URLS must name at least one node where CHAIN_MODE is rpc')
  for (const name of ['KYC', 'PLATFORM'] as const)
    if (set[`${name}_WEBHOOK_URL`] && set[`${name}_WEBHOOK_SECRET`].length === 0)
      throw new SettingError(
        `${name}_WEBHOOK_SECRET ${secretRule}, where ${name}_WEBHOOK_URL is set: it signs what is sent`,
      )
  if (set.ALARMS_URL && set.ALARMS_SECRET.length === 0)
    throw new SettingError(`ALARMS_SECRET ${secretRule}, where ALARMS_URL is set: it signs what is sent`)
  const { VERIFF_API_KEY: apiKey, VERIFF_WEBHOOK_SECRET: secret } = set
  if (!apiKey !== !secret)
    throw new SettingError(`VERIFF_${apiKey ? 'WEBHOOK_SECRET' : 'API_KEY'} must be set too: each needs the other`)
}

const readAlarms = (set: SettingValues): Config['alarms'] => ({
  url: set.ALARMS_URL,
  secrets: set.ALARMS_SECRET,
  log: set.ALARMS_LOG && set.ALARMS_LOG !== 'stdout' ? resolve(set.ALARMS_LOG) : set.ALARMS_LOG,
  syslogUrl: set.ALARMS_SYSLOG,
  minSeverity: set.ALARMS_MIN_SEVERITY,
})

/** Throws SettingError where one of the two is missing. */
function readMail({ SMTP_URL: url, MAIL_FROM: from }: SettingValues): Config['mail'] {
  if (!url !== !from) throw new SettingError(`${url ? 'MAIL_FROM' : 'SMTP_URL'} must be set too: each needs the other`)
  return url && from ? { url, from } : undefined
}

/** Where documents are kept. Throws SettingError where what a bucket needs is missing. */
const readDocuments = (set: SettingValues): Pick<Config, 'documentBucket' | 'documentCredentials'> => ({
  documentCredentials: readCredentials(set, 'DOCUMENTS'),
  documentBucket: set.DOCUMENTS && readBucket(set, 'DOCUMENTS', set.DOCUMENTS),
})

/** The settings of the provider. Throws SettingError where they do not fit together. */
function readOidc(set: SettingValues): OidcSettings | undefined {
  const { OIDC_ISSUER: address, OIDC_CLIENT_ID: clientId } = set
  if (!address) {
    const alone = (['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const).find((name) => set[name] !== undefined)
    if (alone) throw new SettingError(`${alone} needs OIDC_ISSUER, the address of the provider`)
    if (set.LOCAL_SIGN_IN === 'off')
      throw new SettingError('LOCAL_SIGN_IN=off needs OIDC_ISSUER: nobody could sign in otherwise')
    return undefined
  }
  if (!clientId) throw new SettingError('OIDC_CLIENT_ID must be set where OIDC_ISSUER is: the provider gives it out')
  if (address.startsWith('http:') && !isLoopback(address))
    throw new SettingError('OIDC_ISSUER must be an https address: who can change its answers can sign in as anybody')
  return {
    issuer: address,
    clientId,
    clientSecret: set.OIDC_CLIENT_SECRET,
    name: set.OIDC_NAME,
    scopes: set.OIDC_SCOPES,
    groupsClaim: set.OIDC_GROUPS_CLAIM,
    roles: set.OIDC_ROLES,
    secondFactors: set.OIDC_MFA,
  }
}
const readIndexer = (set: SettingValues): Config['indexer'] => ({
  isOn: set.INDEXER === 'on',
  startBlock: set.INDEXER_START_BLOCK,
  confirmations: set.INDEXER_CONFIRMATIONS,
  maxRange: set.INDEXER_MAX_RANGE,
  topicChunk: set.INDEXER_TOPIC_CHUNK,
  pollMs: set.INDEXER_POLL_MS,
})

/** How servers of one database, and a proxy before them, get along. */
const readSharing = (set: SettingValues) => ({
  drainSeconds: set.DRAIN_SECONDS ?? (set.TRUST_PROXY ? drainBehindProxy : 0),
  databaseWaitSeconds: set.DATABASE_WAIT_SECONDS,
  hasJobs: set.JOBS === 'on',
  leaseSeconds: set.LEASE_SECONDS,
  migrationWaitSeconds: set.MIGRATION_WAIT_SECONDS,
})

const readChain = (set: SettingValues): Config['chain'] => ({
  chainId: set.BSC_CHAIN_ID,
  multicall3: set.BSC_MULTICALL3.toLowerCase(),
  timeoutMs: set.BSC_RPC_TIMEOUT_MS,
  deadlineMs: set.BSC_RPC_DEADLINE_MS,
  logsUrls: set.BSC_LOGS_RPC_URLS.length > 0 ? set.BSC_LOGS_RPC_URLS : set.BSC_RPC_URLS,
})

/** The explorers of the public chains, by their chain ids. */
const explorers: Record<number, string> = { 56: 'https://bscscan.com', 97: 'https://testnet.bscscan.com' }

/** The explorer of a chain that is read from nodes. The local chain has none. */
const findExplorer = ({ CHAIN_MODE: mode, BSC_RPC_URLS: nodes, BSC_CHAIN_ID: id }: SettingValues) =>
  mode === 'rpc' || (mode === 'auto' && nodes.length > 0) ? explorers[id] : undefined

/** Reads the environment once. Throws SettingError for an invalid value. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = Settings.safeParse(readEnvironment(environment))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new SettingError(`${issue?.path.join('.')} ${issue?.message}`)
  }
  const set = parsed.data
  const publicUrl = readPublicUrl(set)
  checkEncryption(set)
  checkCombinations(set)
  const { VERIFF_API_KEY: apiKey, VERIFF_WEBHOOK_SECRET: secret } = set
  return {
    port: set.PORT,
    host: set.HOST,
    publicUrl,
    isHttps: publicUrl.protocol === 'https:',
    allowedHosts: set.ALLOWED_HOSTS,
    dataDir: resolve(set.DATA_DIR),
    databaseUrl: set.DATABASE_URL,
    databaseOwnerUrl: set.DATABASE_OWNER_URL,
    databaseDirectUrl: set.DATABASE_DIRECT_URL,
    hasNamedStatements: set.DATABASE_PREPARE === 'on',
    isDemoWanted: !set.DATABASE_URL && !set.DOCUMENTS && set.DEMO !== 'off',
    firstAdmin: { username: set.ADMIN_USERNAME ?? 'admin', password: set.ADMIN_PASSWORD },
    isMfaRequired: set.AUTH_MFA === 'required',
    approvalHours: set.APPROVAL_HOURS,
    kycTargetHours: set.KYC_TARGET_HOURS,
    totpKey: set.TOTP_KEY,
    oidc: readOidc(set),
    isLocalSignInOpen: set.LOCAL_SIGN_IN === 'on',
    auditKeys: set.AUDIT_KEY,
    documentKeys: set.DOCUMENTS_KEY,
    ...readDocuments(set),
    backups: readBackupSettings(set),
    auditAnchorUrl: set.AUDIT_ANCHOR_URL,
    alarms: readAlarms(set),
    mail: readMail(set),
    sessionNetwork: set.SESSION_NETWORK,
    platformApiKey: set.PLATFORM_API_KEY,
    erasuresPerDay: set.ERASURES_PER_DAY,
    platformWebhookUrl: set.PLATFORM_WEBHOOK_URL,
    kycWebhookUrl: set.KYC_WEBHOOK_URL,
    platformWebhookSecrets: set.PLATFORM_WEBHOOK_SECRET,
    kycWebhookSecrets: set.KYC_WEBHOOK_SECRET,
    sumsubWebhookSecret: set.SUMSUB_WEBHOOK_SECRET,
    veriff: apiKey && secret ? { apiKey, secret } : undefined,
    allowInsecureHttp: set.ALLOW_INSECURE_HTTP === 'on',
    webhookAllowPrivate: set.WEBHOOK_ALLOW_PRIVATE === 'on',
    chainMode: set.CHAIN_MODE,
    bscRpcUrls: set.BSC_RPC_URLS,
    chain: readChain(set),
    indexer: readIndexer(set),
    explorerUrl: (set.EXPLORER_URL ?? findExplorer(set))?.replace(/\/+$/, ''),
    ...readSharing(set),
    trustProxy: set.TRUST_PROXY ?? false,
    metrics: set.METRICS_PORT === undefined ? undefined : { port: set.METRICS_PORT, host: set.METRICS_HOST },
    logLevel: set.LOG_LEVEL,
  }
}
