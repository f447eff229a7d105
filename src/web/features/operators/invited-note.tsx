import { useQuery } from '@tanstack/react-query'
import type { Operator } from '#contract/schemas/operators.ts'
import { Note } from '#web/ui/note.tsx'
import { operatorsQuery } from './queries.ts'
import { describeInvited } from './words.ts'

/** Says which invitations end with what a dialog is about to do, and who has joined by one. Nothing where nobody was invited. */
export function InvitedNote({ operator }: { operator: Operator }) {
  const { data } = useQuery(operatorsQuery())
  const { ended, stays } = describeInvited(operator, data?.operators ?? [])
  if (ended === null && stays === null) return null
  return (
    <Note tone="warning" role="note" className="mb-3">
      {ended !== null && <p className="wrap-anywhere">{ended}</p>}
      {stays !== null && <p className="wrap-anywhere">{stays}</p>}
    </Note>
  )
}
