const pathForm = /^(?:[\w.-]+\/)*[\w-][\w.-]*$/

/** A path below a store: words of letters, digits and `-_.`, none of which leads up. */
export const isObjectPath = (path: string): boolean =>
  pathForm.test(path) && !path.split('/').some((word) => word === '..' || word === '.')

/** Throws an Error for what is not a path below a store. */
export function requireObjectPath(path: string): string {
  if (!isObjectPath(path)) throw new Error(`${JSON.stringify(path)} is not a path of a stored object`)
  return path
}

/** A store that cannot be used right now: nobody may take its objects for missing. */
export class StoreError extends Error {
  constructor(place: string, reason: string, cause?: unknown) {
    super(`the store ${place} cannot be used: ${reason}`, { cause })
  }
}
