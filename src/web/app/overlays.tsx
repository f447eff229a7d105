import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { absoluteHours, authRoutes, idleMinutes } from '#contract/auth.ts'
import { call, describeError, isUnauthorized } from '#web/api.ts'
import { formatClockTime } from '#web/lib/clock.ts'
import { useStore } from '#web/lib/store.ts'
import { discardQuestion } from '#web/lib/unsaved.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { lazy, LazyBoundary, prefetch } from '#web/ui/lazy-boundary.tsx'
import { sessionQuery, sessionWarning, signInNeeded, stepUpQuestion } from './session.ts'
import { SignInAgain } from './sign-in-again.tsx'

const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'))

// The toaster must be loaded before the connection is lost.
prefetch(() => import('#web/ui/toaster.tsx'))

/** Dialogs that can appear over any screen: the session's end, and the discard question. */
export default function Overlays() {
  const client = useQueryClient()
  const needed = useStore(signInNeeded)
  const warning = useStore(sessionWarning)
  const answer = useStore(discardQuestion)
  const stepUp = useStore(stepUpQuestion)
  return (
    <>
      <LazyBoundary fallback={null} onFailure={() => stepUp?.answer(false)}>
        {stepUp && !needed && <StepUpDialog {...stepUp} />}
      </LazyBoundary>
      {answer && <DiscardDialog onAnswer={answer} />}
      {warning && !needed && (
        <SessionWarning
          {...warning}
          onSignIn={() => signInNeeded.set(client.getQueryData(sessionQuery.queryKey) ?? null)}
        />
      )}
      {needed && <SignInAgain admin={needed} />}
    </>
  )
}

/** Keeping is the first button, so that it has the focus. */
function DiscardDialog({ onAnswer }: { onAnswer: (isDiscarded: boolean) => void }) {
  const keep = () => onAnswer(false)
  return (
    <Dialog
      role="alertdialog"
      title="Discard what you typed?"
      description="It has not been sent."
      onClose={keep}
      // Leaves the title of the dialog that it asks about in sight.
      className="mt-14"
    >
      <div className="pb-5" />
      <DialogFooter>
        <Button variant="primary" onClick={keep}>
          Keep Editing
        </Button>
        <Button variant="danger" onClick={() => onAnswer(true)}>
          Discard
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

interface SessionWarningProps {
  /** When the session ends, by this browser's clock. */
  at: number
  /** The session cannot be prolonged. Only a new sign-in helps. */
  isFinal: boolean
  onSignIn: () => void
}

const dismiss = () => sessionWarning.set(null)

/** Shown two minutes before the session ends. Any key keeps the operator signed in. */
function SessionWarning({ at, isFinal, onSignIn }: SessionWarningProps) {
  const left = useSecondsLeft(at)
  // The answer moves the session's end, which closes this dialog.
  const renewal = useMutation({ mutationFn: () => call(authRoutes.currentUser) })
  const stay = () => renewal.mutate()
  return (
    <Dialog
      role="alertdialog"
      title={isFinal ? `Your sign-in ends at ${formatClockTime(at)}` : 'Are you still there?'}
      description={
        isFinal
          ? `A sign-in lasts ${absoluteHours} hours at most. Sign in again to go on; what you typed stays.`
          : `You will be signed out at ${formatClockTime(at)}, after ${idleMinutes} minutes without use. What you typed stays.`
      }
      onClose={isFinal ? dismiss : stay}
    >
      <DialogBody>
        <p role="timer" className="text-20 font-semibold tabular-nums">
          {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
        </p>
        <FieldError>{renewal.error && !isUnauthorized(renewal.error) ? describeError(renewal.error) : null}</FieldError>
      </DialogBody>
      <DialogFooter>
        {isFinal ? (
          <>
            <Button onClick={dismiss}>Later</Button>
            <Button variant="primary" onClick={onSignIn}>
              Sign In Again
            </Button>
          </>
        ) : (
          <Button variant="primary" loading={renewal.isPending} onClick={stay}>
            Stay Signed In
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  )
}

function useSecondsLeft(at: number): number {
  const read = () => Math.max(0, Math.ceil((at - Date.now()) / 1000))
  const [left, setLeft] = useState(read)
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((at - Date.now()) / 1000))), 1000)
    return () => clearInterval(timer)
  }, [at])
  return left
}
