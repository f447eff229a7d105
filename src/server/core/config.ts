import { resolve } from 'node:path'
import { isLoopback, isLoopbackName } from '#server/lib/loopback.ts'
import { checkCombinations, checkEncryption, readEnvironment } from './check-settings.ts'
import { SettingError } from './setting-error.ts'
import { Settings, type SettingValues } from './settings.ts'
import { readBackupSettings, readBucket, readCredentials } from './bucket-settings.ts'

export { SettingError } from './setting-error.ts'

/** Longer than usual proxies take to notice: HAProxy asks every 2 seconds and believes the third answer. */
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

const readAlarms = (set: SettingValues) => ({
  /** `secrets` is not empty if there is a `url`. */
  url: set.ALARMS_URL,
  secrets: set.ALARMS_SECRET,
  /** `stdout`, or a file. */
  log: set.ALARMS_LOG && set.ALARMS_LOG !== 'stdout' ? resolve(set.ALARMS_LOG) : set.ALARMS_LOG,
  syslogUrl: set.ALARMS_SYSLOG,
  /** The least severity of events that are sent. */
  minSeverity: set.ALARMS_MIN_SEVERITY,
})

/** Throws SettingError where one of the two is missing. */
function readMail({ SMTP_URL: url, MAIL_FROM: from }: SettingValues) {
  if (!url !== !from) throw new SettingError(`${url ? 'MAIL_FROM' : 'SMTP_URL'} must be set too: each needs the other`)
  return url && from ? { url, from } : undefined
}

/** Where documents are kept. Throws SettingError where what a bucket needs is missing. */
const readDocuments = (set: SettingValues) => ({
  /** For a bucket that documents are moved to. */
  documentCredentials: readCredentials(set, 'DOCUMENTS'),
  /** Undefined: a folder in `dataDir`. */
  documentBucket: set.DOCUMENTS && readBucket(set, 'DOCUMENTS', set.DOCUMENTS),
})

/** The settings of the provider. Throws SettingError where they do not fit together. */
function readOidc(set: SettingValues) {
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
    /** As `URL.href` writes it. */
    issuer: address,
    clientId,
    /** Undefined for a public client. */
    clientSecret: set.OIDC_CLIENT_SECRET,
    /** What the button calls the provider. */
    name: set.OIDC_NAME,
    scopes: set.OIDC_SCOPES,
    /** The claim that lists an operator's groups. */
    groupsClaim: set.OIDC_GROUPS_CLAIM,
    /** In the order in which they count. Empty: roles are given in the console, and operators are invited there. */
    roles: set.OIDC_ROLES,
    /** Values of `amr` and `acr` that prove a second factor. */
    secondFactors: set.OIDC_MFA,
  }
}

const readIndexer = (set: SettingValues) => ({
  isOn: set.INDEXER === 'on',
  startBlock: set.INDEXER_START_BLOCK,
  confirmations: set.INDEXER_CONFIRMATIONS,
  maxRange: set.INDEXER_MAX_RANGE,
  topicChunk: set.INDEXER_TOPIC_CHUNK,
  pollMs: set.INDEXER_POLL_MS,
})

/** How servers of one database, and a proxy before them, get along. */
const readSharing = (set: SettingValues) => ({
  /** How long a stopping server answers on, so that a proxy takes it out first. */
  drainSeconds: set.DRAIN_SECONDS ?? (set.TRUST_PROXY ? drainBehindProxy : 0),
  /** How long a start waits for its database. */
  databaseWaitSeconds: set.DATABASE_WAIT_SECONDS,
  /** Whether this server runs what runs by the clock. */
  hasJobs: set.JOBS === 'on',
  /** How long a server that falls silent keeps the work that one server at a time does. */
  leaseSeconds: set.LEASE_SECONDS,
  /** How long migrations wait for locks, and for another server that migrates. */
  migrationWaitSeconds: set.MIGRATION_WAIT_SECONDS,
})

const readChain = (set: SettingValues) => ({
  chainId: set.BSC_CHAIN_ID,
  /** Lower case. */
  multicall3: set.BSC_MULTICALL3.toLowerCase(),
  /** Milliseconds for one node, and for all nodes together. */
  timeoutMs: set.BSC_RPC_TIMEOUT_MS,
  deadlineMs: set.BSC_RPC_DEADLINE_MS,
  /** Nodes that answer `eth_getLogs`. Default: the nodes for balances. */
  logsUrls: set.BSC_LOGS_RPC_URLS.length > 0 ? set.BSC_LOGS_RPC_URLS : set.BSC_RPC_URLS,
})

/** The explorers of the public chains, by their chain ids. */
const explorers: Record<number, string> = { 56: 'https://bscscan.com', 97: 'https://testnet.bscscan.com' }

/** The explorer of a chain that is read from nodes. The local chain has none. */
const findExplorer = ({ CHAIN_MODE: mode, BSC_RPC_URLS: nodes, BSC_CHAIN_ID: id }: SettingValues) =>
  mode === 'rpc' || (mode === 'auto' && nodes.length > 0) ? explorers[id] : undefined

/** How browsers and proxies reach the console. Throws SettingError where passwords would go over plain http. */
function readAddresses(set: SettingValues) {
  const publicUrl = readPublicUrl(set)
  return {
    port: set.PORT,
    host: set.HOST,
    /** How browsers reach the console, without a path. */
    publicUrl,
    isHttps: publicUrl.protocol === 'https:',
    /** Further host names of the console besides that of `publicUrl`, in lower case. */
    allowedHosts: set.ALLOWED_HOSTS,
    /** Whether plain http may lead off this machine. */
    allowInsecureHttp: set.ALLOW_INSECURE_HTTP === 'on',
    /** Whether a peer's `X-Forwarded-For` is believed. */
    trustProxy: set.TRUST_PROXY ?? (false as const),
    /** Where `/metrics` is answered. If undefined, nowhere. */
    metrics: set.METRICS_PORT === undefined ? undefined : { port: set.METRICS_PORT, host: set.METRICS_HOST },
  }
}

/** Where the data are. */
const readDatabase = (set: SettingValues) => ({
  dataDir: resolve(set.DATA_DIR),
  databaseUrl: set.DATABASE_URL,
  /** The account that owns and migrates the tables, if the server runs with another. */
  databaseOwnerUrl: set.DATABASE_OWNER_URL,
  /** Past the pooler that `databaseUrl` leads to. If undefined, there is none. */
  databaseDirectUrl: set.DATABASE_DIRECT_URL,
  /** A standby that exports and figures are read from. If undefined, the primary. */
  databaseReadUrl: set.DATABASE_READ_URL,
  /** Whether statements of the pool may have names, under which PostgreSQL plans them once. */
  hasNamedStatements: set.DATABASE_PREPARE === 'on',
  isDemoWanted: !set.DATABASE_URL && !set.DOCUMENTS && set.DEMO !== 'off',
})

/** Who signs in, and how. Throws SettingError where the settings of the provider do not fit together. */
const readSignIn = (set: SettingValues) => ({
  firstAdmin: { username: set.ADMIN_USERNAME ?? 'admin', password: set.ADMIN_PASSWORD },
  /** Whether an admin without a second factor can only add one. */
  isMfaRequired: set.AUTH_MFA === 'required',
  /** Encrypts the seeds of authenticator apps, if not the key in `dataDir`. */
  totpKey: set.TOTP_KEY,
  /** If undefined, nobody signs in by a provider. */
  oidc: readOidc(set),
  /** Whether passwords open sessions of all operators, or of those for emergencies alone. */
  isLocalSignInOpen: set.LOCAL_SIGN_IN === 'on',
  /** What follows when a session is used from another network or browser than at sign-in. */
  sessionNetwork: set.SESSION_NETWORK,
})

/** How the platform and KYC providers are talked to. Throws SettingError where one setting lacks another. */
function readPlatform(set: SettingValues) {
  const { VERIFF_API_KEY: apiKey, VERIFF_WEBHOOK_SECRET: secret } = set
  if (!apiKey !== !secret)
    throw new SettingError(`VERIFF_${apiKey ? 'WEBHOOK_SECRET' : 'API_KEY'} must be set too: each needs the other`)
  return {
    platformApiKey: set.PLATFORM_API_KEY,
    /** How many members one platform key may erase in 24 hours. */
    erasuresPerDay: set.ERASURES_PER_DAY,
    platformWebhookUrl: set.PLATFORM_WEBHOOK_URL,
    kycWebhookUrl: set.KYC_WEBHOOK_URL,
    /** Not empty if `platformWebhookUrl` is set. */
    platformWebhookSecrets: set.PLATFORM_WEBHOOK_SECRET,
    /** For both directions. Not empty if `kycWebhookUrl` is set. */
    kycWebhookSecrets: set.KYC_WEBHOOK_SECRET,
    /** For Sumsub's digest headers. If undefined, they are refused. */
    sumsubWebhookSecret: set.SUMSUB_WEBHOOK_SECRET,
    /** For Veriff's signature headers. If undefined, they are refused. */
    veriff: apiKey && secret ? { apiKey, secret } : undefined,
    /** Whether webhooks may go to loopback and private addresses. */
    webhookAllowPrivate: set.WEBHOOK_ALLOW_PRIVATE === 'on',
  }
}

/** Reads the environment once. Throws SettingError for an invalid value. */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const parsed = Settings.safeParse(readEnvironment(environment))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new SettingError(`${issue?.path.join('.')} ${issue?.message}`)
  }
  const set = parsed.data
  checkEncryption(set)
  checkCombinations(set)
  return {
    ...readAddresses(set),
    ...readDatabase(set),
    ...readSignIn(set),
    ...readPlatform(set),
    /** A request for approval expires after so many hours. */
    approvalHours: set.APPROVAL_HOURS,
    /** A KYC case is to be decided within so many hours. */
    kycTargetHours: set.KYC_TARGET_HOURS,
    /** Base64. Empty: the key of DATA_DIR. */
    auditKeys: set.AUDIT_KEY,
    /** Base64. Empty: the keys of DATA_DIR. The first one encrypts documents. */
    documentKeys: set.DOCUMENTS_KEY,
    ...readDocuments(set),
    backups: readBackupSettings(set),
    /** Where checkpoints of the audit log are posted. */
    auditAnchorUrl: set.AUDIT_ANCHOR_URL,
    /** Where security events and audit rows are sent. */
    alarms: readAlarms(set),
    /** If undefined, the console sends no e-mail. */
    mail: readMail(set),
    /** The configured mode. `bscRpcUrls` and the database's content resolve `auto` (product 13.2). */
    chainMode: set.CHAIN_MODE,
    bscRpcUrls: set.BSC_RPC_URLS,
    chain: readChain(set),
    /** Settings for reading transfers. The chain decides undefined ones. */
    indexer: readIndexer(set),
    /** The block explorer's address without a slash at its end; transfers link to its `/tx/<hash>`. */
    explorerUrl: (set.EXPLORER_URL ?? findExplorer(set))?.replace(/\/+$/, ''),
    ...readSharing(set),
    logLevel: set.LOG_LEVEL,
  }
}

/** All settings as the server uses them. */
export type Config = ReturnType<typeof readConfig>
/** The provider that operators sign in with, besides passwords. */
export type OidcSettings = NonNullable<Config['oidc']>
/** How alerts go out by e-mail. The address of the server holds its credentials. */
export type MailSettings = NonNullable<Config['mail']>
