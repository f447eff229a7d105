import { accessChecks, signInChecks } from './access.ts'
import { headerChecks } from './headers.ts'
import { inputChecks } from './input.ts'
import type { LiveCheck } from './target.ts'

/** Checks of a running console. They change nothing but sign-ins. */
export const liveChecks: LiveCheck[] = [...headerChecks, ...accessChecks, ...inputChecks, ...signInChecks]
