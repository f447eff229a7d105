import { useEffect, useRef, useState, type ComponentProps, type FormEvent, type ReactNode } from 'react'
import { authRoutes, idleMinutes, missingCredentials } from '#contract/auth.ts'
import { secondStepHash } from '#contract/oidc.ts'
import type { Admin, SecondFactorNeeded } from '#contract/schemas/auth.ts'
import { call, describeError } from '#web/api.ts'
import { EndingNote } from '#web/factors/ending-note.tsx'
import { settings } from '#web/lib/settings.ts'
import { BrandMark } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { toast } from '#web/ui/toast.ts'
import { ProviderButton } from './provider-button.tsx'

interface LoginFormProps {
  onSignedIn: (admin: Admin) => void
  /** Called at the first key, so that the console's code loads while the password is typed. */
  onTyping: () => void
}

const SecondStep = lazy(() => import('./second-step.tsx'))

/** The password is right, and a second factor has to follow. */
interface PendingSignIn {
  /** Null where the provider has named the operator. */
  username: string | null
  needed: Pick<SecondFactorNeeded, 'methods' | 'passkeyProblem'>
}

export default function LoginPage({ themeToggle, ...handlers }: LoginFormProps & { themeToggle: ReactNode }) {
  useEffect(() => {
    document.title = 'Super Admin Login · Back Office'
  }, [])
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr_auto] bg-canvas">
      <header className="gutter flex h-(--header) items-center justify-between">
        <div className="flex items-center gap-2.5 font-semibold tracking-[-0.01em]">
          <BrandMark />
          Back Office
        </div>
        {themeToggle}
      </header>
      <main className="grid place-items-center px-4 pb-[8vh]">
        <LoginForm {...handlers} />
      </main>
      <footer className="gutter pb-5 text-center text-12 text-quiet">
        A session ends after {idleMinutes} minutes without use.
      </footer>
    </div>
  )
}

const cardLook = 'w-full max-w-90 rounded-l border bg-card p-8 shadow-control'

function LoginForm({ onSignedIn, onTyping }: LoginFormProps) {
  const [pending, setPending] = useState<PendingSignIn | null>(null)
  const [isEmergency, setEmergency] = useState(false)
  useProviderReturn(setPending)
  if (pending)
    return (
      <div className={cardLook}>
        <LazyBoundary fallback={<output>Loading...</output>} onFailure={() => setPending(null)}>
          <SecondStep {...pending} onSignedIn={onSignedIn} onRestart={() => setPending(null)} />
        </LazyBoundary>
      </div>
    )
  if (!settings.localSignIn && !isEmergency) return <ProviderCard onEmergency={() => setEmergency(true)} />
  return <PasswordForm onSignedIn={onSignedIn} onTyping={onTyping} onPending={setPending} />
}

/** Goes on with the second step where the provider has led back to it. */
function useProviderReturn(onPending: (pending: PendingSignIn) => void) {
  useEffect(() => {
    const { hash, pathname, search } = window.location
    if (hash !== secondStepHash) return
    window.history.replaceState(null, '', pathname + search)
    void call(authRoutes.mfaOptions).then(
      (needed) => onPending({ username: null, needed }),
      (error: unknown) => toast({ tone: 'destructive', title: 'Login failed', description: describeError(error) }),
    )
  }, [onPending])
}

/** The form where passwords are for emergencies alone. */
const ProviderCard = ({ onEmergency }: { onEmergency: () => void }) => (
  <div className={cardLook}>
    <h1 id="login-title" className="mb-6 text-20 font-semibold">
      Super Admin Login
    </h1>
    <EndingNote />
    {settings.provider && <ProviderButton provider={settings.provider} variant="primary" />}
    <p className="mt-4 text-center">
      <Button variant="ghost" size="small" onClick={onEmergency}>
        Emergency Sign-In
      </Button>
    </p>
  </div>
)

interface PasswordFormProps extends LoginFormProps {
  /** Called when a second factor is asked for. */
  onPending: (pending: PendingSignIn) => void
}

function PasswordForm({ onSignedIn, onTyping, onPending }: PasswordFormProps) {
  const { username, password, missing, isPending, signIn } = useSignIn(onSignedIn, onPending)
  useEffect(() => username.current?.focus(), [username])
  return (
    <form noValidate aria-labelledby="login-title" onSubmit={(event) => void signIn(event)} className={cardLook}>
      <h1 id="login-title" className="mb-6 text-20 font-semibold">
        Super Admin Login
      </h1>
      <EndingNote />
      <LoginField
        label="Username"
        name="username"
        ref={username}
        missing={missing}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        onInput={onTyping}
        className="mb-4 h-10! text-14"
      />
      <LoginField
        label="Password"
        name="password"
        ref={password}
        missing={missing}
        type="password"
        autoComplete="current-password"
        className="h-10! text-14"
      />
      <FieldError id="login-error" className="mt-2!">
        {missing && missingCredentials}
      </FieldError>
      <Button type="submit" variant="primary" size="large" loading={isPending} className="mt-5 w-full">
        Sign In
      </Button>
      {settings.provider && (
        <>
          <p className="my-4 flex items-center gap-3 text-12 text-quiet before:flex-1 before:border-t after:flex-1 after:border-t">
            or
          </p>
          <ProviderButton provider={settings.provider} />
        </>
      )}
    </form>
  )
}

type MissingFields = { username: boolean; password: boolean } | null

/** Signs in with what the fields hold. They are uncontrolled, so that the password is never in our state. */
function useSignIn(onSignedIn: (admin: Admin) => void, onPending: (pending: PendingSignIn) => void) {
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [missing, setMissing] = useState<MissingFields>(null)
  const [isPending, setPending] = useState(false)

  async function signIn(event: FormEvent) {
    event.preventDefault()
    if (isPending || !username.current || !password.current) return
    const given = { username: username.current.value, password: password.current.value }
    const empty = { username: given.username.trim() === '', password: given.password === '' }
    if (empty.username || empty.password) {
      setMissing(empty)
      ;(empty.username ? username : password).current?.focus()
      return
    }
    setMissing(null)
    setPending(true)
    try {
      const reply = await call(authRoutes.login, { body: given })
      if ('admin' in reply) onSignedIn(reply.admin)
      else onPending({ username: given.username, needed: reply })
    } catch (error) {
      const description = describeError(error, 'Invalid credentials')
      toast({ tone: 'destructive', title: 'Login failed', description })
      password.current.select()
    } finally {
      setPending(false)
    }
  }
  return { username, password, missing, isPending, signIn }
}

interface LoginFieldProps extends ComponentProps<typeof Input> {
  label: string
  name: 'username' | 'password'
  missing: MissingFields
}

const LoginField = ({ label, name, missing, ...input }: LoginFieldProps) => (
  <>
    <label htmlFor={name} className="mb-1.5 block text-13 font-medium">
      {label}
    </label>
    <Input
      id={name}
      name={name}
      maxLength={200}
      required
      aria-invalid={missing?.[name] || undefined}
      aria-describedby={missing ? 'login-error' : undefined}
      {...input}
    />
  </>
)
