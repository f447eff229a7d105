/** An error that an operator can fix, shown without a stack. `exitCode` 1: it failed, 2: wrong usage. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
