import { newPlaceStepUp } from '#contract/factors.ts'
import type { ApiError } from '#web/api.ts'
import { stepUpQuestion } from './session.ts'

let asking: Promise<boolean> | undefined

/** Asks the operator who sits there, once for all calls that wait for it. False when the operator cancels. */
export function askForStepUp({ reply }: ApiError): Promise<boolean> {
  const { details } = reply ?? {}
  const methods = details && !Array.isArray(details) ? details.methods : undefined
  const isNewPlace = reply?.message === newPlaceStepUp
  asking ??= new Promise<boolean>((resolve) =>
    stepUpQuestion.set({ isNewPlace, methods: methods ?? [], answer: resolve }),
  ).finally(() => {
    asking = undefined
    stepUpQuestion.set(null)
  })
  return asking
}
