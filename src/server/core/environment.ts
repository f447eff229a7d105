import { readFileSync } from 'node:fs'
import { readErrorCode } from '#server/db/embedded/errors.ts'
import { SettingError } from './setting-error.ts'
import { Settings } from './settings.ts'

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
