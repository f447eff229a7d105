export { createKey, defaultCallsPerSecond, listKeys, revokeKey, settingCallsPerSecond, settingKeyName } from './keys.ts'
export { isValidKey, findKey, type FoundKey } from './find.ts'
