import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type FormEvent, type ReactNode, type RefObject } from 'react'
import { authRoutes, missingCredentials } from '#contract/auth.ts'
import { oidcRoutes } from '#contract/oidc.ts'
import type { Admin, SecondFactorNeeded } from '#contract/schemas/auth.ts'
import { call, describeError } from '#web/api.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { completeWithFactor, fetchSignInChallenge } from '#web/factors/complete-sign-in.ts'
import { EndingNote } from '#web/factors/ending-note.tsx'
import { settings } from '#web/lib/settings.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogBody, dialogColumn, DialogFooter } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { showLogin, completeSignIn } from './session.ts'

const FactorForm = lazy(() => import('#web/factors/factor-form.tsx'))
const ProviderWindowButton = lazy(async () => {
  const module = await import('#web/factors/provider-window-button.tsx')
  return { default: module.ProviderWindowButton }
})

/** A sign-in form over unsent input, when the session has ended. It hides the screen until the same admin is back. */
export function SignInAgain({ admin }: { admin: Admin }) {
  const client = useQueryClient()
  const [needed, setNeeded] = useState<SecondFactorNeeded | null>(null)
  const leave = <Button onClick={() => showLogin(client)}>Discard and Leave</Button>
  return (
    <Dialog
      title="Sign in to go on"
      description="Your sign-in has ended. What you typed is still there and was not sent."
      onClose={() => {}}
      locked
      covering
    >
      {needed ? (
        <SecondStep needed={needed} leave={leave} onExpired={() => setNeeded(null)} />
      ) : (
        <PasswordStep admin={admin} leave={leave} onNeeded={setNeeded} />
      )}
    </Dialog>
  )
}

interface PasswordStepProps {
  admin: Admin
  leave: ReactNode
  onNeeded: (needed: SecondFactorNeeded) => void
}

function PasswordStep({ admin, leave, onNeeded }: PasswordStepProps) {
  const client = useQueryClient()
  const password = useRef<HTMLInputElement>(null)
  const [isMissing, setMissing] = useState(false)
  const signIn = useSingleMutation({
    mutationFn: (given: string) => call(authRoutes.login, { body: { username: admin.username, password: given } }),
    onSuccess: (reply) => {
      if ('admin' in reply) completeSignIn(client, reply.admin)
      else onNeeded(reply)
    },
    onError: () => password.current?.select(),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const given = password.current?.value ?? ''
    setMissing(given === '')
    if (given === '') password.current?.focus()
    else signIn.mutate(given)
  }
  const provider = settings.provider && (
    <div className={settings.localSignIn ? 'mt-4' : undefined}>
      <ProviderWindowButton
        label={`Sign in with ${settings.provider}`}
        begin={() => call(oidcRoutes.begin, { body: {} })}
        variant={settings.localSignIn ? 'default' : 'primary'}
      />
    </div>
  )
  if (!settings.localSignIn)
    return (
      <>
        <DialogBody>
          <EndingNote />
          {provider}
        </DialogBody>
        <DialogFooter>{leave}</DialogFooter>
      </>
    )
  const refusal = signIn.error ? describeError(signIn.error, 'Invalid credentials') : null
  return (
    <form noValidate onSubmit={submit} className={dialogColumn}>
      <DialogBody>
        <EndingNote />
        <CredentialFields
          username={admin.username}
          password={password}
          error={isMissing ? missingCredentials : refusal}
        />
        {provider}
      </DialogBody>
      <DialogFooter>
        {leave}
        <Button type="submit" variant="primary" loading={signIn.isPending}>
          Sign In
        </Button>
      </DialogFooter>
    </form>
  )
}

interface SecondStepProps {
  needed: SecondFactorNeeded
  leave: ReactNode
  onExpired: () => void
}

/** The factor after the password, for an operator who has one (product 2.8). */
function SecondStep({ needed, leave, onExpired }: SecondStepProps) {
  const client = useQueryClient()
  return (
    <>
      <DialogBody>
        <LazyBoundary fallback={<output>Loading...</output>} onFailure={onExpired}>
          <FactorForm
            methods={needed.methods}
            passkeyProblem={needed.passkeyProblem}
            fetchChallenge={fetchSignInChallenge}
            send={async (proof) => completeSignIn(client, await completeWithFactor(proof))}
            onExpired={onExpired}
            action="Verify"
          />
        </LazyBoundary>
      </DialogBody>
      <DialogFooter>{leave}</DialogFooter>
    </>
  )
}

interface CredentialFieldsProps {
  username: string
  password: RefObject<HTMLInputElement | null>
  error: string | null
}

/** The username cannot be changed. It is there for password managers. */
function CredentialFields({ username, password, error }: CredentialFieldsProps) {
  return (
    <>
      <Field label="Username" className="mb-4">
        {(control) => (
          <Input {...control} name="username" autoComplete="username" readOnly tabIndex={-1} value={username} />
        )}
      </Field>
      <Field label="Password" error={error}>
        {(control) => (
          <Input
            {...control}
            ref={password}
            name="password"
            type="password"
            autoComplete="current-password"
            maxLength={200}
          />
        )}
      </Field>
    </>
  )
}
