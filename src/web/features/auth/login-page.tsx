import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { authRoutes, idleMinutes, missingCredentials } from '#contract/auth.ts'
import type { Admin } from '#contract/schemas/auth.ts'
import { call, describeError } from '#web/api.ts'
import { BrandMark } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'

interface LoginPageProps {
  themeToggle: ReactNode
  onSignedIn: (admin: Admin) => void
  /** Called at the first key, so that the console's code loads while the password is typed. */
  onTyping: () => void
}

/** The fields are uncontrolled, so that the password is never in our state. */
export default function LoginPage({ themeToggle, onSignedIn, onTyping }: LoginPageProps) {
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [missing, setMissing] = useState<{ username: boolean; password: boolean } | null>(null)
  const [isPending, setPending] = useState(false)
  useEffect(() => {
    document.title = 'Super Admin Login · Back Office'
    username.current?.focus()
  }, [])

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
      const { admin } = await call(authRoutes.login, { body: given })
      onSignedIn(admin)
    } catch (error) {
      toast({
        tone: 'destructive',
        title: 'Login failed',
        description: describeError(error, 'Invalid credentials'),
      })
      password.current.select()
    } finally {
      setPending(false)
    }
  }

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
        <form
          noValidate
          aria-labelledby="login-title"
          onSubmit={(event) => void signIn(event)}
          className="w-full max-w-90 rounded-l border bg-card p-8 shadow-control"
        >
          <h1 id="login-title" className="mb-6 text-20 font-semibold">
            Super Admin Login
          </h1>
          <label htmlFor="username" className="mb-1.5 block text-13 font-medium">
            Username
          </label>
          <Input
            ref={username}
            id="username"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={200}
            required
            onInput={onTyping}
            aria-invalid={missing?.username || undefined}
            aria-describedby={missing ? 'login-error' : undefined}
            className="mb-4 h-10! text-14"
          />
          <label htmlFor="password" className="mb-1.5 block text-13 font-medium">
            Password
          </label>
          <Input
            ref={password}
            id="password"
            name="password"
            type="password"
            autoComplete="current-password"
            maxLength={200}
            required
            aria-invalid={missing?.password || undefined}
            aria-describedby={missing ? 'login-error' : undefined}
            className="h-10! text-14"
          />
          <FieldError id="login-error" className="mt-2!">
            {missing && missingCredentials}
          </FieldError>
          <Button type="submit" variant="primary" size="large" loading={isPending} className="mt-5 w-full">
            Sign In
          </Button>
        </form>
      </main>
      <footer className="gutter pb-5 text-center text-12 text-quiet">
        A session ends after {idleMinutes} minutes without use.
      </footer>
    </div>
  )
}
