import { useEffect, useState } from 'react'
import { authRoutes } from '#contract/auth.ts'
import { stepUpMinutes } from '#contract/factors.ts'
import { oidcRoutes } from '#contract/oidc.ts'
import { call } from '#web/api.ts'
import FactorForm from '#web/factors/factor-form.tsx'
import { ProviderWindowButton } from '#web/factors/provider-window-button.tsx'
import { settings } from '#web/lib/settings.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import type { StepUpQuestion } from './session.ts'
import { onTabMessage } from './tabs.ts'

const fetchChallenge = () => call(authRoutes.stepUpOptions)

/** Why the operator's passkeys are not offered. The refusal does not say it. */
function usePasskeyProblem(isAsked: boolean): string | undefined {
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (isAsked)
      void fetchChallenge().then(
        ({ passkeyProblem }) => setProblem(passkeyProblem),
        () => {},
      )
  }, [isAsked])
  return problem
}

/** The window of the provider says when it is done. */
function useConfirmation(answer: StepUpQuestion['answer']) {
  useEffect(() => {
    const stop = new AbortController()
    onTabMessage(({ type }) => {
      if (type === 'confirmed') answer(true)
    }, stop.signal)
    return () => stop.abort()
  }, [answer])
}

/** Asks again who sits there, over whatever was being done. The call that needs it goes on with what was typed (product 2.9). */
export default function StepUpDialog({ isNewPlace, methods, answer }: StepUpQuestion) {
  const cancel = () => answer(false)
  const typedMethods = methods.filter((method) => method !== 'oidc')
  const passkeyProblem = usePasskeyProblem(
    typedMethods.length > 0 && !methods.includes('passkey') && !methods.includes('password'),
  )
  useConfirmation(answer)
  const provider = methods.includes('oidc') && (
    <ProviderWindowButton
      label={`Confirm with ${settings.provider}`}
      begin={() => call(oidcRoutes.beginStepUp)}
      variant={typedMethods.length > 0 ? 'default' : 'primary'}
    />
  )
  return (
    <Dialog
      title="Confirm it’s you"
      description={`${
        isNewPlace
          ? 'This session is used from another network or browser than at sign-in.'
          : `This needs a sign-in of the last ${stepUpMinutes} minutes.`
      } Then you continue where you left off.`}
      onClose={cancel}
    >
      {typedMethods.length > 0 ? (
        <FactorForm
          methods={typedMethods}
          passkeyProblem={passkeyProblem}
          fetchChallenge={fetchChallenge}
          send={async (proof) => {
            await call(authRoutes.stepUp, { body: proof })
            answer(true)
          }}
          onExpired={cancel}
          action="Confirm"
          dialog={{ head: provider && <div className="mb-4">{provider}</div>, onCancel: cancel }}
        />
      ) : (
        <>
          <DialogBody>{provider}</DialogBody>
          <DialogFooter>
            <Button onClick={cancel}>Cancel</Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  )
}
