import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { authRoutes } from '#contract/auth.ts'
import type { Admin } from '#contract/schemas/auth.ts'
import type { Member } from '#contract/schemas/members.ts'
import { buildQuery } from '#web/api.ts'
import { Note } from '#web/ui/note.tsx'
import { verificationsQuery } from './queries.ts'

interface CaseNoteProps {
  member: Pick<Member, 'id' | 'email'>
  /** The case as the list had it when the dialog opened. By default the member's waiting case. */
  opened?: { id: string; claimedBy: string | null } | undefined
  /** True while the operator's own decision is being sent, so that its effect is not reported. */
  isSending: boolean
}

/** Says that another operator has the case open in review mode, or has decided it. */
export function CaseNote({ member, opened, isSending }: CaseNoteProps) {
  const ownName = useOwnName()
  const { data } = useQuery(verificationsQuery(member.email))
  const waiting = data?.verifications.find((each) => each.user.id === member.id && each.status === 'pending')
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

/** The signed-in admin's name from the cached session. Sends no call. */
const useOwnName = () =>
  useQueryClient().getQueryData<Admin | null>(buildQuery(authRoutes.currentUser).queryKey)?.username
