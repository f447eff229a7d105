import { challengeMinutes } from '#contract/factors.ts'
import type { Admin, SecondFactorNeeded } from '#contract/schemas/auth.ts'
import { completeWithFactor, fetchSignInChallenge } from '#web/factors/complete-sign-in.ts'
import FactorForm from '#web/factors/factor-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

interface SecondStepProps {
  /** Null where the provider has named the operator. */
  username: string | null
  needed: Pick<SecondFactorNeeded, 'methods' | 'passkeyProblem'>
  onSignedIn: (admin: Admin) => void
  /** Back to the first step. */
  onRestart: () => void
}

/** The second step of the sign-in form, for an operator who has a factor (product 2.8). */
export default function SecondStep({ username, needed, onSignedIn, onRestart }: SecondStepProps) {
  function restartExpired() {
    toast({
      tone: 'destructive',
      title: 'Login failed',
      description: `The second step has to follow within ${challengeMinutes} minutes. Sign in again.`,
    })
    onRestart()
  }
  return (
    <>
      <h1 id="login-title" className="text-20 font-semibold">
        Confirm it’s you
      </h1>
      <p className="mt-1 mb-6 text-13 text-quiet">
        One more step to sign in
        {username !== null && (
          <>
            {' '}
            as <bdi className="font-medium text-ink">{username}</bdi>
          </>
        )}
        .
      </p>
      <FactorForm
        methods={needed.methods}
        passkeyProblem={needed.passkeyProblem}
        fetchChallenge={fetchSignInChallenge}
        send={async (proof) => onSignedIn(await completeWithFactor(proof))}
        onExpired={restartExpired}
        action="Verify"
      />
      <p className="mt-2 text-center">
        <Button variant="ghost" onClick={onRestart}>
          Start Again
        </Button>
      </p>
    </>
  )
}
