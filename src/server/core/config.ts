import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod'
import { addressForm, addressProblem } from '#contract/common.ts'
import { multicall3Address } from '#server/adapters/multicall.ts'
import { isSecret, secretForm } from '#server/adapters/standard-webhooks.ts'

const onOff = z.enum(['on', 'off'], { error: 'must be on or off' })
const isUrl = (value: string, schemes: string[]) => URL.canParse(value) && schemes.includes(new URL(value).protocol)
const listed = (schemes: string[]) => schemes.map((scheme) => `${scheme}//`).join(' or ')
const url = (schemes: string[]) =>
  z.string().refine((value) => isUrl(value, schemes), {
    error: `must be a URL that starts with ${listed(schemes)}`,
    abort: true,
  })
const web = ['http:', 'https:']
const split = (value: string) => value.split(/[\s,]+/).filter(Boolean)
const port = 'must be a port from 0 to 65535'
const hostName = /^(?=.*[a-z])[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*\.?$/i

const hostNames = z
  .string()
  .transform((value) => split(value.toLowerCase()))
  .refine((list) => list.every((name) => hostName.test(name)), {
    error: 'must be host names without scheme and port, separated by commas',
  })
  .default([])

/** Which peers are believed when they say for whom they ask. A prefix of 0 would believe everybody, so it is none. */
const proxies = z.string().transform((value, check) => {
  const networks = new BlockList()
  for (const entry of split(value)) {
    const [address = '', prefix, ...rest] = entry.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    const longest = family === 'ipv4' ? 32 : 128
    const isPrefix =
      prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= longest)
    if (!isIP(address) || address.includes('%') || !isPrefix || rest.length > 0) {
      check.addIssue(
        `must be IP addresses or networks such as 10.0.0.0/8, separated by commas; ${JSON.stringify(entry)} is none`,
      )
      return z.NEVER
    }
    networks.addSubnet(address, Number(prefix ?? longest), family)
  }
  return (address: string) => isIP(address) !== 0 && networks.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
})

const chainModes = ['auto', 'rpc', 'embedded', 'off'] as const
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Browsers compare origins, and the console serves its pages at `/`. */
function isBareOrigin(value: string): boolean {
  const { origin, href } = new URL(value)
  return href === `${origin}/` && !/[?#]/.test(value)
}

/** One secret of Standard Webhooks, or two while one replaces the other. */
const secrets = z
  .string()
  .transform(split)
  .refine((list) => list.length <= 2 && list.every(isSecret), secretForm)
  .default([])

/** A secret that the other side has made. */
const secretLength = 'must have 16 to 512 characters'
const givenSecret = z.string().min(16, secretLength).max(512, secretLength).optional()

const rpcUrls = z
  .string()
  .transform(split)
  .refine((list) => list.every((value) => isUrl(value, web) && new URL(value).username === ''), {
    error: `must be URLs that start with ${listed(web)} and name no user, separated by commas`,
  })
  .default([])

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
const Settings = z.object({
  PORT: z
    .string()
    .regex(/^\d+$/, port)
    .transform(Number)
    .refine((value) => value <= 65535, port)
    .default(3000),
  HOST: z
    .string()
    .refine(
      (value) => isIP(value) > 0 || hostName.test(value),
      'must be an IP address or a host name, without scheme, brackets or port',
    )
    .default('127.0.0.1'),
  PUBLIC_URL: url(web)
    .refine(
      isBareOrigin,
      'must be scheme, host and port alone, such as https://console.example.com: no path, query or credentials',
    )
    .optional(),
  ALLOWED_HOSTS: hostNames,
  ALLOW_INSECURE_HTTP: onOff.default('off'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url(['postgres:', 'postgresql:']).optional(),
  DEMO: onOff.optional(),
  ADMIN_USERNAME: z.string().min(1).max(64).optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(15, 'must have 15 to 128 characters')
    .max(128, 'must have 15 to 128 characters')
    .optional(),
  // What a header carries after `Bearer `; any other key would be refused at every call.
  PLATFORM_API_KEY: z
    .string()
    .min(32, 'must have 32 characters or more')
    .max(512, 'must have at most 512 characters')
    .regex(/^[\x21-\x7e]+$/, 'must be of visible ASCII characters, without blanks')
    .optional(),
  PLATFORM_WEBHOOK_URL: url(web).optional(),
  KYC_WEBHOOK_URL: url(web).optional(),
  PLATFORM_WEBHOOK_SECRET: secrets,
  KYC_WEBHOOK_SECRET: secrets,
  SUMSUB_WEBHOOK_SECRET: givenSecret,
  VERIFF_API_KEY: givenSecret,
  VERIFF_WEBHOOK_SECRET: givenSecret,
  WEBHOOK_ALLOW_PRIVATE: onOff.default('off'),
  CHAIN_MODE: z.enum(chainModes, { error: `must be ${chainModes.join(', ')}` }).default('auto'),
  BSC_RPC_URLS: rpcUrls,
  BSC_LOGS_RPC_URLS: rpcUrls,
  BSC_CHAIN_ID: wholeNumber(1, 2 ** 31, 56),
  BSC_RPC_TIMEOUT_MS: wholeNumber(100, 60_000, 4000),
  BSC_RPC_DEADLINE_MS: wholeNumber(100, 120_000, 10_000),
  BSC_MULTICALL3: z.string().regex(addressForm, addressProblem).default(multicall3Address),
  INDEXER: onOff.default('on'),
  INDEXER_START_BLOCK: wholeNumber(0, 2 ** 40).optional(),
  INDEXER_CONFIRMATIONS: wholeNumber(0, 10_000).optional(),
  INDEXER_MAX_RANGE: wholeNumber(1, 100_000, 2000),
  INDEXER_TOPIC_CHUNK: wholeNumber(1, 1000, 200),
  INDEXER_POLL_MS: wholeNumber(200, 3_600_000).optional(),
  EXPLORER_URL: url(web).optional(),
  TRUST_PROXY: proxies.optional(),
  LOG_LEVEL: z.enum(logLevels, { error: `must be ${logLevels.join(', ')}` }).default('warn'),
})

export interface Config {
  port: number
  host: string
  /** How browsers reach the console, without a path. */
  publicUrl: URL
  isHttps: boolean
  /** Names beside `publicUrl`'s by which the console may be asked, in lower case. */
  allowedHosts: string[]
  dataDir: string
  databaseUrl: string | undefined
  isDemoWanted: boolean
  firstAdmin: { username: string; password: string | undefined }
  platformApiKey: string | undefined
  platformWebhookUrl: string | undefined
  /** Not empty wherever `platformWebhookUrl` is set. */
  platformWebhookSecrets: string[]
  kycWebhookUrl: string | undefined
  /** For both directions; not empty wherever `kycWebhookUrl` is set. */
  kycWebhookSecrets: string[]
  /** Of Sumsub's digest headers; undefined: they are refused. */
  sumsubWebhookSecret: string | undefined
  /** Of Veriff's signature headers; undefined: they are refused. */
  veriff: { apiKey: string; secret: string } | undefined
  /** Whether webhooks may go to loopback and private addresses. */
  webhookAllowPrivate: boolean
  /** The block explorer's address without a slash at its end; transfers link to its `/tx/<hash>`. */
  explorerUrl: string | undefined
  /** What is asked for; `auto` is settled by `bscRpcUrls` and by what the database holds (product 13.2). */
  chainMode: (typeof chainModes)[number]
  bscRpcUrls: string[]
  chain: {
    chainId: number
    /** Lower case. */
    multicall3: string
    /** Over one node, over all of them: milliseconds. */
    timeoutMs: number
    deadlineMs: number
    /** Nodes that answer `eth_getLogs`; the same as for balances where none are named. */
    logsUrls: string[]
  }
  /** What reads transfers from the chain; what is undefined depends on the chain. */
  indexer: {
    isOn: boolean
    startBlock: number | undefined
    confirmations: number | undefined
    maxRange: number
    topicChunk: number
    pollMs: number | undefined
  }
  /** Whether a peer's `X-Forwarded-For` is believed. */
  trustProxy: ((address: string) => boolean) | false
  logLevel: string
}

/** A setting that stops the start; the message names it and what it should be. */
export class SettingError extends Error {}

const isLoopbackName = (host: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(host)
export const isLoopback = (address: string) => isLoopbackName(new URL(address).hostname)

/** Values are trimmed and a blank one counts as unset; a password keeps the blanks around it, since they are part of it. */
function readGiven(environment: NodeJS.ProcessEnv): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment))
    if (value?.trim()) given[name] = name === 'ADMIN_PASSWORD' ? value : value.trim()
  return given
}

/** Reads the environment once. Throws SettingError for a value that can't be used. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = Settings.safeParse(readGiven(environment))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new SettingError(`${issue?.path.join('.')} ${issue?.message}`)
  }
  const set = parsed.data
  const host = set.HOST.includes(':') ? `[${set.HOST}]` : set.HOST
  const publicUrl = new URL(set.PUBLIC_URL ?? `http://${host}:${set.PORT}`)
  const isHttps = publicUrl.protocol === 'https:'
  if (!isHttps && set.ALLOW_INSECURE_HTTP !== 'on') {
    const bare = [
      set.PUBLIC_URL && !isLoopbackName(publicUrl.hostname) ? 'PUBLIC_URL' : undefined,
      isLoopbackName(host) ? undefined : 'HOST',
    ].find(Boolean)
    if (bare)
      throw new SettingError(
        `${bare} would carry passwords over plain http; set PUBLIC_URL to an https address, or ALLOW_INSECURE_HTTP=on`,
      )
  }
  for (const name of ['KYC_WEBHOOK_URL', 'PLATFORM_WEBHOOK_URL'] as const) {
    const address = set[name]
    if (address?.startsWith('http:') && !isLoopback(address) && set.ALLOW_INSECURE_HTTP !== 'on')
      throw new SettingError(
        `${name} would carry members' data over plain http; set it to an https address, or ALLOW_INSECURE_HTTP=on`,
      )
  }
  if (set.CHAIN_MODE === 'rpc' && set.BSC_RPC_URLS.length === 0)
    throw new SettingError('BSC_RPC_URLS must name at least one node where CHAIN_MODE is rpc')
  for (const name of ['KYC', 'PLATFORM'] as const)
    if (set[`${name}_WEBHOOK_URL`] && set[`${name}_WEBHOOK_SECRET`].length === 0)
      throw new SettingError(
        `${name}_WEBHOOK_SECRET ${secretForm}, where ${name}_WEBHOOK_URL is set: it signs what is sent`,
      )
  const { VERIFF_API_KEY: apiKey, VERIFF_WEBHOOK_SECRET: secret } = set
  if (!apiKey !== !secret)
    throw new SettingError(`VERIFF_${apiKey ? 'WEBHOOK_SECRET' : 'API_KEY'} must be set too: each needs the other`)
  return {
    port: set.PORT,
    host: set.HOST,
    publicUrl,
    isHttps,
    allowedHosts: set.ALLOWED_HOSTS,
    dataDir: resolve(set.DATA_DIR),
    databaseUrl: set.DATABASE_URL,
    isDemoWanted: !set.DATABASE_URL && set.DEMO !== 'off',
    firstAdmin: { username: set.ADMIN_USERNAME ?? 'admin', password: set.ADMIN_PASSWORD },
    platformApiKey: set.PLATFORM_API_KEY,
    platformWebhookUrl: set.PLATFORM_WEBHOOK_URL,
    kycWebhookUrl: set.KYC_WEBHOOK_URL,
    platformWebhookSecrets: set.PLATFORM_WEBHOOK_SECRET,
    kycWebhookSecrets: set.KYC_WEBHOOK_SECRET,
    sumsubWebhookSecret: set.SUMSUB_WEBHOOK_SECRET,
    veriff: apiKey && secret ? { apiKey, secret } : undefined,
    webhookAllowPrivate: set.WEBHOOK_ALLOW_PRIVATE === 'on',
    chainMode: set.CHAIN_MODE,
    bscRpcUrls: set.BSC_RPC_URLS,
    chain: {
      chainId: set.BSC_CHAIN_ID,
      multicall3: set.BSC_MULTICALL3.toLowerCase(),
      timeoutMs: set.BSC_RPC_TIMEOUT_MS,
      deadlineMs: set.BSC_RPC_DEADLINE_MS,
      logsUrls: set.BSC_LOGS_RPC_URLS.length > 0 ? set.BSC_LOGS_RPC_URLS : set.BSC_RPC_URLS,
    },
    indexer: {
      isOn: set.INDEXER === 'on',
      startBlock: set.INDEXER_START_BLOCK,
      confirmations: set.INDEXER_CONFIRMATIONS,
      maxRange: set.INDEXER_MAX_RANGE,
      topicChunk: set.INDEXER_TOPIC_CHUNK,
      pollMs: set.INDEXER_POLL_MS,
    },
    explorerUrl: set.EXPLORER_URL?.replace(/\/+$/, ''),
    trustProxy: set.TRUST_PROXY ?? false,
    logLevel: set.LOG_LEVEL,
  }
}
