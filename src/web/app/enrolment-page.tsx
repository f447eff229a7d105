import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { factorRoutes } from '#contract/factors.ts'
import { buildQuery, type Enrolment } from '#web/api.ts'
import { AddApp, AddPasskey } from '#web/features/account/add-factor.tsx'
import { PasswordFields, usePasswordForm } from '#web/features/account/password-form.tsx'
import { BrandMark } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { enrolment, sessionQuery, signOut } from './session.ts'

interface EnrolmentPageProps {
  needed: Enrolment
  username: string
  themeToggle: ReactNode
}

const titles: Record<Enrolment, string> = { password: 'Choose a password of your own', factor: 'Add a second factor' }

/** All that an operator sees who must choose a password or add a second factor first (product 2.4, 2.8). */
export default function EnrolmentPage({ needed, username, themeToggle }: EnrolmentPageProps) {
  const client = useQueryClient()
  const title = titles[needed]
  useEffect(() => {
    document.title = `${title} · Back Office`
  }, [title])
  const goOn = () => {
    // What was refused is fetched again.
    void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
    enrolment.set(null)
  }
  const leave = (
    <Button variant="ghost" onClick={() => void signOut(client).catch(() => {})}>
      Sign Out
    </Button>
  )
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr] bg-canvas">
      <header className="gutter flex h-(--header) items-center justify-between">
        <div className="flex items-center gap-2.5 font-semibold tracking-[-0.01em]">
          <BrandMark />
          Back Office
        </div>
        {themeToggle}
      </header>
      <main className="grid place-items-center px-4 pb-[8vh]">
        <div className="w-full max-w-110 rounded-l border bg-card p-8 shadow-control">
          <h1 id="enrolment-title" className="text-20 font-semibold">
            {title}
          </h1>
          {needed === 'password' ? (
            <OwnPassword username={username} onDone={goOn} leave={leave} />
          ) : (
            <FirstFactor onDone={goOn} leave={leave} />
          )}
        </div>
      </main>
    </div>
  )
}

interface StepProps {
  onDone: () => void
  /** The button that signs out. */
  leave: ReactNode
}

function OwnPassword({ username, onDone, leave }: StepProps & { username: string }) {
  const { submit, isPending, refusal, fields } = usePasswordForm(username, onDone)
  return (
    <form
      noValidate
      aria-labelledby="enrolment-title"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) submit()
      }}
    >
      <p className="mt-1 mb-5 text-13 text-quiet">
        Somebody else set the password that you have just used, or may have read it. Until you have replaced it, nothing
        else opens.
      </p>
      <PasswordFields {...fields} />
      {refusal && (
        <Note tone="danger" role="alert" className="mt-4">
          {refusal}
        </Note>
      )}
      <div className="mt-5 flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={isPending}>
          Change Password
        </Button>
        {leave}
      </div>
    </form>
  )
}

function FirstFactor({ onDone, leave }: StepProps) {
  const { data } = useQuery(buildQuery(factorRoutes.list))
  const problem = data?.passkeyProblem ?? null
  return (
    <>
      <p className="mt-1 mb-5 text-13 text-quiet">
        This console asks for one after the password. Until you have added one, nothing else opens. A passkey is
        quickest, and no other site can ask for it.
      </p>
      {problem && <Note className="mb-4">{problem}</Note>}
      <div className="flex flex-wrap gap-2">
        <AddPasskey isPrimary disabled={data === undefined || problem !== null} onDone={onDone} />
        <AddApp onDone={onDone} />
        {leave}
      </div>
    </>
  )
}
