/** A start that cannot go on. The message is one line for the operator: what is wrong, where, and what to do. */
export class StartError extends Error {
  override name = 'StartError'
}

/** The `code` of a system error such as `EACCES`, or an empty string. */
export function readErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
