import { BlockList, isIP } from 'node:net'
import * as z from 'zod'
import { severities } from '#contract/security.ts'
import { addressForm, addressProblem } from '#contract/common.ts'
import { roleNames, type Role } from '#contract/permissions.ts'
import { multicall3Address } from '#server/adapters/multicall.ts'
import { isSecret, secretRule } from '#server/adapters/standard-webhooks.ts'
import { isAgeRecipient } from '#server/lib/age.ts'
import { isAddress, readBucketUrl } from '#server/lib/bucket-url.ts'
import { mailFrom, smtpUrl } from './mail-settings.ts'
import { findUrlProblem } from '#server/lib/database-url.ts'

const onOffSetting = z.enum(['on', 'off'], { error: 'must be on or off' })
const isUrl = (value: string, schemes: string[]) => URL.canParse(value) && schemes.includes(new URL(value).protocol)
const listSchemes = (schemes: string[]) => schemes.map((scheme) => `${scheme}//`).join(' or ')
const url = (schemes: string[]) =>
  z
    .string()
    .refine((value) => isUrl(value, schemes), {
      error: `must be a URL that starts with ${listSchemes(schemes)}`,
      abort: true,
    })
const databaseUrl = z.string().check((context) => {
  const message = findUrlProblem(context.value)
  if (message !== null) context.issues.push({ code: 'custom', input: context.value, message })
})
const bucketUrl = z.string().transform((value, context) => {
  try {
    return readBucketUrl(value)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})
/** A file or folder. An address would become a folder of that name, such as `s3:`. */
const path = z.string().refine((value) => !isAddress(value), 'must be a path on this machine, not an address')
const webSchemes = ['http:', 'https:']
const splitList = (value: string) => value.split(/[\s,]+/).filter(Boolean)
const port = 'must be a port from 0 to 65535'
const portNumber = z
  .string()
  .regex(/^\d+$/, port)
  .transform(Number)
  .refine((value) => value <= 65535, port)
const hostName = /^(?=.*[a-z])[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*\.?$/i
const hostSetting = z
  .string()
  .refine(
    (value) => isIP(value) > 0 || hostName.test(value),
    'must be an IP address or a host name, without scheme, brackets or port',
  )

const hostNames = z
  .string()
  .transform((value) => splitList(value.toLowerCase()))
  .refine((list) => list.every((name) => hostName.test(name)), {
    error: 'must be host names without scheme and port, separated by commas',
  })
  .default([])

/** Peers whose X-Forwarded-For is believed. A prefix of 0 would believe everybody, so it is refused. */
const proxies = z.string().transform((value, check) => {
  const networks = new BlockList()
  for (const entry of splitList(value)) {
    const [address = '', prefix, ...rest] = entry.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    const longest = family === 'ipv4' ? 32 : 128
    const isPrefix =
      prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= longest)
    if (!isIP(address) || address.includes('%') || !isPrefix || rest.length > 0) {
      check.addIssue(
        `must be IP addresses or networks such as 10.0.0.0/8, separated by commas; ${JSON.stringify(entry)} is not one`,
      )
      return z.NEVER
    }
    networks.addSubnet(address, Number(prefix ?? longest), family)
  }
  return (address: string) => isIP(address) !== 0 && networks.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
})

export const chainModes = ['auto', 'rpc', 'embedded', 'off'] as const
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Browsers compare origins, and the console serves its pages at `/`. */
function isBareOrigin(value: string): boolean {
  const { origin, href } = new URL(value)
  return href === `${origin}/` && !/[?#]/.test(value)
}

/** One Standard Webhooks secret, or two during a replacement. */
const secrets = z
  .string()
  .transform(splitList)
  .refine((list) => list.length <= 2 && list.every(isSecret), secretRule)
  .default([])

/** A secret that the other side generated. */
const secretLength = 'must have 16 to 512 characters'
const sharedSecret = z.string().min(16, secretLength).max(512, secretLength).optional()

/** Syslog that is not encrypted stays on this machine, where a relay takes it. */
const syslogUrl = url(['tls:', 'tcp:'])
  .refine((value) => new URL(value).hostname !== '' && /^\/?$/.test(new URL(value).pathname), {
    error: 'must be tls://host:port',
    abort: true,
  })
  .refine((value) => value.startsWith('tls:') || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(value).hostname), {
    error: 'must be tls://host:port; tcp:// leads to this machine alone, such as tcp://127.0.0.1:601',
  })

export const sessionNetworkModes = ['step-up', 'event', 'off'] as const
const mfaModes = ['optional', 'required'] as const

/** A key of AES-256. */
const encryptionKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 random bytes in base64, such as `openssl rand -base64 32` prints')
  .transform((value) => Buffer.from(value, 'base64'))
  .optional()

const rpcUrls = z
  .string()
  .transform(splitList)
  .refine((list) => list.every((value) => isUrl(value, webSchemes) && new URL(value).username === ''), {
    error: `must be URLs that start with ${listSchemes(webSchemes)} and name no user, separated by commas`,
  })
  .default([])

/** Keys that sign or encrypt here. The first one does, the others verify or decrypt what they signed or encrypted. */
const keys = z
  .string()
  .transform(splitList)
  .refine((list) => list.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key)), {
    error: 'must be 32 bytes in base64 (openssl rand -base64 32); older keys behind it, separated by commas',
  })
  .default([])

/** The roles of a provider's groups, such as `console-admins=admin`. The first one that an operator has counts. */
const groupRoles = z
  .string()
  .transform((value, check): [group: string, role: Role][] => {
    const entries = value.split(',').map((entry): [string, string] => {
      const at = entry.lastIndexOf('=')
      return [entry.slice(0, Math.max(at, 0)).trim(), entry.slice(at + 1).trim()]
    })
    const bad = entries.find(([group, role], at) => {
      const isFirst = entries.findIndex((each) => each[0] === group) === at
      return group === '' || !isFirst || !roleNames.some((name) => name === role)
    })
    if (!bad) return entries.map(([group, role]) => [group, role as Role])
    check.addIssue(
      `must be groups with their roles, such as console-admins=super_admin,auditors=viewer: each group once, with one of ${roleNames.join(', ')}; ${JSON.stringify(bad.join('='))} is not`,
    )
    return z.NEVER
  })
  .default([])

/** The address that a provider's discovery document, and each of its tokens, names. */
const issuer = url(webSchemes)
  .refine((value) => {
    const { username, password } = new URL(value)
    return username === '' && password === '' && !/[?#]/.test(value)
  }, 'must be an address without query and credentials, such as https://login.example.com/realms/staff')
  .transform((value) => new URL(value).href)
  .optional()

/** The public halves of keys of age, to which backups are encrypted. */
const ageRecipients = z
  .string()
  .transform(splitList)
  .refine((list) => list.every(isAgeRecipient), {
    error: 'must be public keys of age, such as age1…, separated by commas (npm run admin -- backup new-key)',
  })
  .default([])

/** A time in hours or days, such as `24h`. */
const hours = z
  .string()
  .regex(/^[1-9]\d{0,3}[hd]$/, 'must be hours or days, such as 24h or 7d')
  .transform((value) => Number(value.slice(0, -1)) * (value.endsWith('d') ? 24 : 1))

function wholeNumber(min: number, max: number, preset?: number) {
  const problem = `must be a whole number from ${min} to ${max}`
  const number = z
    .string()
    .regex(/^\d{1,15}$/, problem)
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem)
  return preset === undefined ? number : number.default(preset)
}

/** Every setting of product 13.2 that this server reads. An empty value counts as unset. */
export const Settings = z.object({
  PORT: portNumber.default(3000),
  HOST: hostSetting.default('127.0.0.1'),
  PUBLIC_URL: url(webSchemes)
    .refine(
      isBareOrigin,
      'must be scheme, host and port alone, such as https://console.example.com: no path, query or credentials',
    )
    .optional(),
  ALLOWED_HOSTS: hostNames,
  ALLOW_INSECURE_HTTP: onOffSetting.default('off'),
  DATA_DIR: path.default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  ALLOW_INSECURE_DATABASE: onOffSetting.default('off'),
  DATABASE_OWNER_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  DATABASE_PREPARE: onOffSetting.default('on'),
  DEMO: onOffSetting.optional(),
  ADMIN_USERNAME: z.string().min(1).max(64).optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(15, 'must have 15 to 128 characters')
    .max(128, 'must have 15 to 128 characters')
    .optional(),
  AUTH_MFA: z.enum(mfaModes, { error: `must be ${mfaModes.join(' or ')}` }).default('optional'),
  APPROVAL_HOURS: wholeNumber(1, 720, 72),
  KYC_TARGET_HOURS: wholeNumber(1, 8760, 48),
  TOTP_KEY: encryptionKey,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: z.string().max(512).optional(),
  OIDC_CLIENT_SECRET: z.string().max(512).optional(),
  OIDC_NAME: z.string().max(40, 'must have at most 40 characters').default('single sign-on'),
  OIDC_SCOPES: z
    .string()
    .refine((value) => splitList(value).includes('openid'), 'must hold openid, such as: openid profile groups')
    .transform((value) => splitList(value).join(' '))
    .default('openid profile'),
  OIDC_GROUPS_CLAIM: z.string().max(200).default('groups'),
  OIDC_ROLES: groupRoles,
  OIDC_MFA: z.string().transform(splitList).default([]),
  LOCAL_SIGN_IN: onOffSetting.default('on'),
  AUDIT_KEY: keys,
  DOCUMENTS: bucketUrl.optional(),
  DOCUMENTS_ACCESS_KEY_ID: z.string().optional(),
  DOCUMENTS_SECRET_ACCESS_KEY: z.string().optional(),
  DOCUMENTS_KEY: keys,
  BACKUP_KEY: ageRecipients,
  BACKUP_TO: z.string().optional(),
  BACKUP_ACCESS_KEY_ID: z.string().optional(),
  BACKUP_SECRET_ACCESS_KEY: z.string().optional(),
  BACKUP_EVERY: hours.default(24),
  BACKUP_KEEP: wholeNumber(1, 1000, 7),
  WAL_ARCHIVE: z.string().optional(),
  AUDIT_ANCHOR_URL: url(webSchemes).optional(),
  ALARMS_URL: url(webSchemes).optional(),
  ALARMS_SECRET: secrets,
  ALARMS_LOG: path.optional(),
  ALARMS_SYSLOG: syslogUrl.optional(),
  ALARMS_MIN_SEVERITY: z.enum(severities, { error: `must be ${severities.join(', ')}` }).default('low'),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailFrom.optional(),
  SESSION_NETWORK: z
    .enum(sessionNetworkModes, { error: `must be ${sessionNetworkModes.join(', ')}` })
    .default('step-up'),
  // A header must be able to contain it after `Bearer `.
  PLATFORM_API_KEY: z
    .string()
    .min(32, 'must have 32 characters or more')
    .max(512, 'must have at most 512 characters')
    .regex(/^[\x21-\x7e]+$/, 'must be of visible ASCII characters, without blanks')
    .optional(),
  ERASURES_PER_DAY: wholeNumber(1, 1_000_000, 100),
  PLATFORM_WEBHOOK_URL: url(webSchemes).optional(),
  KYC_WEBHOOK_URL: url(webSchemes).optional(),
  PLATFORM_WEBHOOK_SECRET: secrets,
  KYC_WEBHOOK_SECRET: secrets,
  SUMSUB_WEBHOOK_SECRET: sharedSecret,
  VERIFF_API_KEY: sharedSecret,
  VERIFF_WEBHOOK_SECRET: sharedSecret,
  WEBHOOK_ALLOW_PRIVATE: onOffSetting.default('off'),
  CHAIN_MODE: z.enum(chainModes, { error: `must be ${chainModes.join(', ')}` }).default('auto'),
  BSC_RPC_URLS: rpcUrls,
  BSC_LOGS_RPC_URLS: rpcUrls,
  BSC_CHAIN_ID: wholeNumber(1, 2 ** 31, 56),
  BSC_RPC_TIMEOUT_MS: wholeNumber(100, 60_000, 4000),
  BSC_RPC_DEADLINE_MS: wholeNumber(100, 120_000, 10_000),
  BSC_MULTICALL3: z.string().regex(addressForm, addressProblem).default(multicall3Address),
  INDEXER: onOffSetting.default('on'),
  INDEXER_START_BLOCK: wholeNumber(0, 2 ** 40).optional(),
  INDEXER_CONFIRMATIONS: wholeNumber(0, 10_000).optional(),
  INDEXER_MAX_RANGE: wholeNumber(1, 100_000, 2000),
  INDEXER_TOPIC_CHUNK: wholeNumber(1, 1000, 200),
  INDEXER_POLL_MS: wholeNumber(200, 3_600_000).optional(),
  EXPLORER_URL: url(webSchemes).optional(),
  TRUST_PROXY: proxies.optional(),
  DRAIN_SECONDS: wholeNumber(0, 300).optional(),
  DATABASE_WAIT_SECONDS: wholeNumber(0, 86_400, 0),
  JOBS: onOffSetting.default('on'),
  LEASE_SECONDS: wholeNumber(1, 300, 15),
  MIGRATION_WAIT_SECONDS: wholeNumber(0, 86_400, 600),
  METRICS_PORT: portNumber.optional(),
  METRICS_HOST: hostSetting.default('127.0.0.1'),
  LOG_LEVEL: z.enum(logLevels, { error: `must be ${logLevels.join(', ')}` }).default('warn'),
})

export type SettingValues = z.infer<typeof Settings>
