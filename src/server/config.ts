import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod'

const onOff = z.enum(['on', 'off'], { error: 'must be on or off' })
const url = (schemes: string[]) =>
  z.string().refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol), {
    error: `must be a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  })
const addresses = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter(Boolean))
  .refine((list) => list.every((entry) => isIP(entry.split('/')[0] ?? '') > 0), {
    error: 'must be IP addresses or networks, separated by commas',
  })

/** Every setting of PRODUCT section 7 that this server reads. An empty value counts as unset. */
const Settings = z.object({
  PORT: z.coerce
    .number({ error: 'must be a port from 0 to 65535' })
    .int('must be a port from 0 to 65535')
    .min(0, 'must be a port from 0 to 65535')
    .max(65535, 'must be a port from 0 to 65535')
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: url(['http:', 'https:']).optional(),
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
  PLATFORM_API_KEY: z.string().min(32, 'must have 32 characters or more').max(512).optional(),
  PLATFORM_WEBHOOK_URL: url(['http:', 'https:']).optional(),
  KYC_WEBHOOK_URL: url(['http:', 'https:']).optional(),
  TRUST_PROXY: addresses.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
})

export interface Config {
  port: number
  host: string
  /** How browsers reach the console, without a path. */
  publicUrl: URL
  isHttps: boolean
  dataDir: string
  databaseUrl: string | undefined
  isDemoWanted: boolean
  firstAdmin: { username: string; password: string | undefined }
  platformApiKey: string | undefined
  platformWebhookUrl: string | undefined
  kycWebhookUrl: string | undefined
  trustProxy: string[] | false
  logLevel: string
}

/** A setting that stops the start; the message names it and what it should be. */
export class SettingError extends Error {}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])
export const isLoopback = (address: string) => loopback.has(new URL(address).hostname)

/** Reads the environment once. Throws SettingError for a value that can't be used. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Settings.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new SettingError(`${issue?.path.join('.')} ${issue?.message}`)
  }
  const set = parsed.data
  const host = set.HOST.includes(':') ? `[${set.HOST}]` : set.HOST
  const publicUrl = new URL(set.PUBLIC_URL ?? `http://${host}:${set.PORT}`)
  const isHttps = publicUrl.protocol === 'https:'
  const isLocal = loopback.has(publicUrl.hostname) && (isHttps || loopback.has(host))
  if (!isHttps && !isLocal && set.ALLOW_INSECURE_HTTP !== 'on')
    throw new SettingError(
      `${set.PUBLIC_URL ? 'PUBLIC_URL' : 'HOST'} would carry passwords over plain http; set PUBLIC_URL to an https address, or ALLOW_INSECURE_HTTP=on`,
    )
  return {
    port: set.PORT,
    host: set.HOST,
    publicUrl,
    isHttps,
    dataDir: resolve(set.DATA_DIR),
    databaseUrl: set.DATABASE_URL,
    isDemoWanted: !set.DATABASE_URL && set.DEMO !== 'off',
    firstAdmin: { username: set.ADMIN_USERNAME ?? 'admin', password: set.ADMIN_PASSWORD },
    platformApiKey: set.PLATFORM_API_KEY,
    platformWebhookUrl: set.PLATFORM_WEBHOOK_URL,
    kycWebhookUrl: set.KYC_WEBHOOK_URL,
    trustProxy: set.TRUST_PROXY ?? false,
    logLevel: set.LOG_LEVEL,
  }
}
