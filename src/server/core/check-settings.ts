import { readFileSync } from 'node:fs'
import { secretRule } from '#server/adapters/standard-webhooks.ts'
import { splitHosts } from '#server/lib/database-url.ts'
import { isLoopback, isLoopbackName } from '#server/lib/loopback.ts'
import { readErrorCode } from '#server/db/embedded/errors.ts'
import { SettingError } from './setting-error.ts'
import { type SettingValues, Settings } from './settings.ts'

const settingNames = Object.keys(Settings.shape)

/** A value as it counts: without blanks around it, but a password keeps its own. Undefined if it is blank. */
function tidy(name: string, value: string | undefined): string | undefined {
  if (!value?.trim()) return undefined
  return name === 'ADMIN_PASSWORD' ? value : value.trim()
}

/** The content of a file, without the line break that editors put at its end. */
function readSettingFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new SettingError(`${name} names ${path}, which can't be read: ${readErrorCode(error)}`)
  }
}

/**
 * The settings that are given, each by its name or, so that secrets need not stand in the environment, in a file that
 * `<name>_FILE` names. Throws SettingError where both are given, or the file can't be read or is empty.
 */
export function readEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const given: Record<string, string> = {}
  for (const name of settingNames) {
    const value = tidy(name, environment[name])
    const path = environment[`${name}_FILE`]?.trim()
    if (value !== undefined && path) throw new SettingError(`${name} and ${name}_FILE are both set: set one of them`)
    const found = path ? tidy(name, readSettingFile(`${name}_FILE`, path)) : value
    if (path && found === undefined) throw new SettingError(`${name}_FILE names ${path}, which is empty`)
    if (found !== undefined) given[name] = found
  }
  return given
}

/** Whether a connection stays on this machine: by a socket in a folder, or to a loopback address. */
function isLocalDatabase({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') || decodeURIComponent(hostname)
  return host === '' || host.startsWith('/') || isLoopbackName(host)
}

/** Throws SettingError where passwords, members or transfers would use a connection that others can read or change. */
export function checkEncryption(set: SettingValues): void {
  for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const) {
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
export function checkCombinations(set: SettingValues): void {
  if (set.DATABASE_OWNER_URL && !set.DATABASE_URL)
    throw new SettingError('DATABASE_OWNER_URL needs DATABASE_URL, the account that the server runs with')
  if (set.DATABASE_DIRECT_URL && !set.DATABASE_URL)
    throw new SettingError('DATABASE_DIRECT_URL needs DATABASE_URL, which leads to the pooler')
  if (set.DATABASE_READ_URL && !set.DATABASE_URL)
    throw new SettingError('DATABASE_READ_URL needs DATABASE_URL, the primary of that standby')
  if (set.DATABASE_READ_URL && splitHosts(set.DATABASE_READ_URL).length > 1)
    throw new SettingError('DATABASE_READ_URL names one host, a standby: the addresses for writes may name several')
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
}
