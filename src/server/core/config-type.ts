import type { BucketSettings } from '#server/adapters/bucket-calls.ts'
import type { Role } from '#contract/permissions.ts'
import type { Severity } from '#contract/security.ts'
import type { BackupSettings } from './backup-settings.ts'
import type { BucketCredentials } from './bucket-settings.ts'
import type { chainModes, sessionNetworkModes } from './settings.ts'

/** The provider that operators sign in with, besides passwords. */
export interface OidcSettings {
  /** As `URL.href` writes it. */
  issuer: string
  clientId: string
  /** Undefined for a public client. */
  clientSecret: string | undefined
  /** What the button calls the provider. */
  name: string
  scopes: string
  /** The claim that lists an operator's groups. */
  groupsClaim: string
  /** In the order in which they count. Empty: roles are given in the console, and operators are invited there. */
  roles: [group: string, role: Role][]
  /** Values of `amr` and `acr` that prove a second factor. */
  secondFactors: string[]
}

/** How alerts go out by e-mail. */
export interface MailSettings {
  /** With credentials. */
  url: string
  from: string
}

export interface Config {
  port: number
  host: string
  /** How browsers reach the console, without a path. */
  publicUrl: URL
  isHttps: boolean
  /** Further host names of the console besides that of `publicUrl`, in lower case. */
  allowedHosts: string[]
  dataDir: string
  databaseUrl: string | undefined
  /** The account that owns and migrates the tables, if the server runs with another. */
  databaseOwnerUrl: string | undefined
  /** Past the pooler that `databaseUrl` leads to. If undefined, there is none. */
  databaseDirectUrl: string | undefined
  /** Whether statements of the pool may have names, under which PostgreSQL plans them once. */
  hasNamedStatements: boolean
  isDemoWanted: boolean
  firstAdmin: { username: string; password: string | undefined }
  /** Whether an admin without a second factor can only add one. */
  isMfaRequired: boolean
  /** A request for approval expires after so many hours. */
  approvalHours: number
  /** A KYC case is to be decided within so many hours. */
  kycTargetHours: number
  /** Encrypts the seeds of authenticator apps, if not the key in `dataDir`. */
  totpKey: Buffer | undefined
  /** If undefined, nobody signs in by a provider. */
  oidc: OidcSettings | undefined
  /** Whether passwords open sessions of all operators, or of those for emergencies alone. */
  isLocalSignInOpen: boolean
  /** Base64. Empty: the key of DATA_DIR. */
  auditKeys: string[]
  /** Base64. Empty: the keys of DATA_DIR. The first one encrypts documents. */
  documentKeys: string[]
  /** Undefined: a folder in `dataDir`. */
  documentBucket: BucketSettings | undefined
  /** For a bucket that documents are moved to. */
  documentCredentials: BucketCredentials | undefined
  backups: BackupSettings
  /** Where checkpoints of the audit log are posted. */
  auditAnchorUrl: string | undefined
  /** Where security events and audit rows are sent. */
  alarms: {
    /** `secrets` is not empty if there is a `url`. */
    url: string | undefined
    secrets: string[]
    /** `stdout`, or a file. */
    log: string | undefined
    syslogUrl: string | undefined
    /** The least severity of events that are sent. */
    minSeverity: Severity
  }
  /** If undefined, the console sends no e-mail. */
  mail: MailSettings | undefined
  /** What follows when a session is used from another network or browser than at sign-in. */
  sessionNetwork: (typeof sessionNetworkModes)[number]
  platformApiKey: string | undefined
  /** How many members one platform key may erase in 24 hours. */
  erasuresPerDay: number
  platformWebhookUrl: string | undefined
  /** Not empty if `platformWebhookUrl` is set. */
  platformWebhookSecrets: string[]
  kycWebhookUrl: string | undefined
  /** For both directions. Not empty if `kycWebhookUrl` is set. */
  kycWebhookSecrets: string[]
  /** For Sumsub's digest headers. If undefined, they are refused. */
  sumsubWebhookSecret: string | undefined
  /** For Veriff's signature headers. If undefined, they are refused. */
  veriff: { apiKey: string; secret: string } | undefined
  /** Whether plain http may lead off this machine. */
  allowInsecureHttp: boolean
  /** Whether webhooks may go to loopback and private addresses. */
  webhookAllowPrivate: boolean
  /** The block explorer's address without a slash at its end; transfers link to its `/tx/<hash>`. */
  explorerUrl: string | undefined
  /** The configured mode. `bscRpcUrls` and the database's content resolve `auto` (product 13.2). */
  chainMode: (typeof chainModes)[number]
  bscRpcUrls: string[]
  chain: {
    chainId: number
    /** Lower case. */
    multicall3: string
    /** Milliseconds for one node, and for all nodes together. */
    timeoutMs: number
    deadlineMs: number
    /** Nodes that answer `eth_getLogs`. Default: the nodes for balances. */
    logsUrls: string[]
  }
  /** Settings for reading transfers. The chain decides undefined ones. */
  indexer: {
    isOn: boolean
    startBlock: number | undefined
    confirmations: number | undefined
    maxRange: number
    topicChunk: number
    pollMs: number | undefined
  }
  /** How long a stopping server answers on, so that a proxy takes it out first. */
  drainSeconds: number
  /** How long a start waits for its database. */
  databaseWaitSeconds: number
  /** Whether this server runs what runs by the clock. */
  hasJobs: boolean
  /** How long a server that falls silent keeps the work that one server at a time does. */
  leaseSeconds: number
  /** How long migrations wait for locks, and for another server that migrates. */
  migrationWaitSeconds: number
  /** Whether a peer's `X-Forwarded-For` is believed. */
  trustProxy: ((address: string) => boolean) | false
  /** Where `/metrics` is answered. If undefined, nowhere. */
  metrics: { port: number; host: string } | undefined
  logLevel: string
}
