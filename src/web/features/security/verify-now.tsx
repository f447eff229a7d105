import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { securityRoutes } from '#contract/security.ts'
import type { AuditVerifying, Integrity } from '#contract/schemas/security.ts'
import { call } from '#web/api.ts'
import { showFailure } from '#web/changes/change-toasts.ts'
import { formatCount } from '#web/lib/money.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { toast } from '#web/ui/toast.ts'
import { countEntries } from './fault-words.ts'
import { refetchSecurity } from './queries.ts'

type State = Pick<Integrity, 'verification' | 'verifying'>

/** Has the whole log verified, and reports the outcome (product 5.12). */
export function useVerifyNow(state: State) {
  const client = useQueryClient()
  const expectOutcome = useOutcome(state)
  return useMutation({
    mutationFn: () => call(securityRoutes.verify),
    onMutate: () => expectOutcome(true),
    onSuccess: () => refetchSecurity(client),
    onError: (error) => {
      expectOutcome(false)
      showFailure(error, 'Failed to ask for a verification')
    },
  })
}
export type Verify = ReturnType<typeof useVerifyNow>

/** Asks for a verification, and says how one goes, also one that another operator asked for. */
export function VerifyNow({ verifying, request }: Pick<State, 'verifying'> & { request: Verify }) {
  return (
    <>
      <PermissionGate permission="security.resolve">
        <ChangeButton
          size="small"
          className="ml-auto"
          loading={verifying !== null || request.isPending}
          onClick={() => request.mutate()}
        >
          <ShieldCheck aria-hidden />
          Verify Now
        </ChangeButton>
      </PermissionGate>
      <output className="w-full empty:hidden">{verifying && <Progress {...verifying} />}</output>
    </>
  )
}

const Progress = ({ requestedBy, progress }: AuditVerifying) => (
  <span className="text-info-ink">
    Verifying now
    {requestedBy !== null && (
      <>
        , asked for by <bdi>{requestedBy}</bdi>
      </>
    )}
    {/* Not said aloud each time. */}
    {progress && (
      <span aria-live="off">
        : {formatCount(progress.rows)} of {formatCount(progress.of)} entries
      </span>
    )}
  </span>
)

/** Reports the outcome to the operator who asked. Returns a function that says whether one is expected from now on. */
function useOutcome({ verification, verifying }: State) {
  const expected = useRef<{ before: string | undefined; hasBegun: boolean } | null>(null)
  useEffect(() => {
    const now = expected.current
    if (!now) return
    if (verifying) now.hasBegun = true
    else if (verification && verification.at !== now.before) report(verification)
    else if (now.hasBegun) report(null)
    else return
    if (!verifying) expected.current = null
  }, [verification, verifying])
  return (isExpected: boolean) => {
    expected.current = isExpected ? { before: verification?.at, hasBegun: false } : null
  }
}

function report(verification: Integrity['verification']): void {
  if (!verification)
    return toast({
      tone: 'destructive',
      title: 'Audit log not verified',
      description: "The verification failed. The server's log says why.",
    })
  const { rows, badEntries } = verification
  if (badEntries === 0)
    return toast({ tone: 'success', title: 'Audit log intact', description: `${countEntries(rows)} verified` })
  toast({ tone: 'destructive', title: 'Audit log altered', description: `${countEntries(badEntries)} not as sealed` })
}
