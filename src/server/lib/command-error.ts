/** What an operator can put right; shown without a stack. `exitCode` 1: it could not be done, 2: it was asked wrongly. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
