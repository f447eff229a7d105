import type { Role } from '#contract/permissions.ts'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { roleOptions, roleSentences } from './words.ts'

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
