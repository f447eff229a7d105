import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { User } from '#contract/schemas/users.ts'
import { Note } from '#web/ui/note.tsx'
import { useOwnName } from './own-name.ts'
import { verificationsQuery } from './queries.ts'

interface CaseNoteProps {
  user: Pick<User, 'id' | 'email'>
  /** The case as the list had it when the dialog opened; else it is the one that waits for the member. */
  opened?: { id: string; claimedBy: string | null } | undefined
  /** The operator's own decision is under way: what comes of it is no news. */
  isSending: boolean
}

/** What other operators do with a case meanwhile: one has it open in review mode, or has decided it. */
export function CaseNote({ user, opened, isSending }: CaseNoteProps) {
  const ownName = useOwnName()
  const { data } = useQuery(verificationsQuery(user.email))
  const waiting = data?.verifications.find((each) => each.user.id === user.id && each.status === 'pending')
  const [id, setId] = useState(opened?.id)
  if (id === undefined && waiting) setId(waiting.id)
  const found = data?.verifications.find((each) => each.id === id)
  if (found && found.status !== 'pending')
    return (
      !isSending && (
        <Note tone="warning" role="alert" className="mb-4">
          {found.decidedBy ? <bdi>{found.decidedBy}</bdi> : 'Somebody'} has {found.status} this case meanwhile.
        </Note>
      )
    )
  const { claimedBy } = found ?? opened ?? {}
  return (
    claimedBy != null &&
    claimedBy !== ownName && (
      <Note tone="warning" className="mb-4">
        <bdi>{claimedBy}</bdi> has this case open in review mode.
      </Note>
    )
  )
}
