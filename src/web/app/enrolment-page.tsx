import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { factorRoutes } from '#contract/factors.ts'
import { buildQuery } from '#web/api.ts'
import { AddApp, AddPasskey } from '#web/features/account/add-factor.tsx'
import { BrandMark } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { factorNeeded, sessionQuery, signOut } from './session.ts'

/** All that an operator sees who must add a second factor first (product 2.8). */
export default function EnrolmentPage({ themeToggle }: { themeToggle: ReactNode }) {
  const client = useQueryClient()
  const { data } = useQuery(buildQuery(factorRoutes.list))
  const problem = data?.passkeyProblem ?? null
  useEffect(() => {
    document.title = 'Add a second factor · Back Office'
  }, [])
  const goOn = () => {
    // What was refused is fetched anew.
    void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
    factorNeeded.set(false)
  }
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
          <h1 className="text-20 font-semibold">Add a second factor</h1>
          <p className="mt-1 mb-5 text-13 text-quiet">
            This console asks for one after the password. Until you have added one, nothing else opens. A passkey is
            quickest, and no other site can ask for it.
          </p>
          {problem && <Note className="mb-4">{problem}</Note>}
          <div className="flex flex-wrap gap-2">
            <AddPasskey isPrimary disabled={data === undefined || problem !== null} onDone={goOn} />
            <AddApp onDone={goOn} />
            <Button variant="ghost" onClick={() => void signOut(client).catch(() => {})}>
              Sign out
            </Button>
          </div>
        </div>
      </main>
    </div>
  )
}
