export {
  createKey,
  defaultCallsPerSecond,
  listKeys,
  type NewKey,
  revokeKey,
  settingCallsPerSecond,
  settingKeyName,
} from './keys.ts'
export { isValidKey, findKey, type PlatformKey } from './find-key.ts'
