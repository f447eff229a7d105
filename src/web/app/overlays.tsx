import { useQueryClient } from '@tanstack/react-query'
import { useStore } from '#web/lib/store.ts'
import { discardQuestion } from '#web/lib/unsaved.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/ui/dialog.tsx'
import { lazy, LazyBoundary, prefetch } from '#web/ui/lazy-boundary.tsx'
import { sessionQuery, sessionWarning, signInNeeded, stepUpQuestion } from './session.ts'
import { SessionWarning } from './session-warning.tsx'
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
    <Dialog role="alertdialog" title="Discard what you typed?" description="It has not been sent." onClose={keep}>
      <div className="pb-5" />
      <DialogFooter>
        <Button variant="primary" onClick={keep}>
          Keep editing
        </Button>
        <Button variant="danger" onClick={() => onAnswer(true)}>
          Discard
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
