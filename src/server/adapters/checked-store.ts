import { SettingError } from '#server/core/setting-error.ts'
import { AppError } from '#server/lib/errors.ts'
import type { FileStore } from './file-store.ts'

type Check = () => Promise<void>

/** A store of files that nothing reaches before a check has passed once. */
export interface CheckedStore {
  files: FileStore
  /** Sets the check, which the first use makes. */
  setCheck: (check: Check) => void
  /** Makes the check now. Throws what it throws; the next use then makes it again. */
  check: () => Promise<void>
}

/** Puts a check before the files. Without one they are used as they are. */
export function checkStore(files: FileStore): CheckedStore {
  let check: Check | undefined
  let passing: Promise<void> | undefined
  const pass = async () => {
    if (!check) return
    passing ??= check().catch((error: unknown) => {
      passing = undefined
      throw error
    })
    await passing
  }
  /** At a start a wrong store is a wrong setting. Later it is a store that cannot be used. */
  const passInUse = () =>
    pass().catch((error: unknown) => {
      if (!(error instanceof SettingError)) throw error
      throw new AppError('store_unavailable', 'The store of the documents is not the one of this database', {
        cause: error,
      })
    })
  return {
    files: {
      ...files,
      put: async (name, bytes) => (await passInUse(), files.put(name, bytes)),
      get: async (name, most) => (await passInUse(), files.get(name, most)),
      has: async (name) => (await passInUse(), files.has(name)),
      delete: async (name) => (await passInUse(), files.delete(name)),
      async *list() {
        await passInUse()
        yield* files.list()
      },
    },
    setCheck: (next) => void (check = next),
    check: pass,
  }
}
