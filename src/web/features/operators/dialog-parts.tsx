import { useQuery } from '@tanstack/react-query'
import type { Role } from '#contract/permissions.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { Note } from '#web/ui/note.tsx'
import { roleOptions, roleSentences, describeInvited } from './words.ts'
import { operatorsQuery } from './queries.ts'

const isRole = (value: string): value is Role => roleOptions.some((option) => option.value === value)

/** A role, with what it is for. */
export const RoleField = ({ role, onRole }: { role: Role; onRole: (role: Role) => void }) => (
  <Field label="Role" hint={roleSentences[role]}>
    {(control) => (
      <Select
        {...control}
        options={roleOptions}
        value={role}
        onChange={({ target }) => isRole(target.value) && onRole(target.value)}
      />
    )}
  </Field>
)

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
