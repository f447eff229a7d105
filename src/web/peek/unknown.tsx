import { Lock, SearchX } from 'lucide-react'
import type { Permission } from '#contract/permissions.ts'
import { permissionLabels } from '#contract/permission-labels.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PeekFrame } from './peek-frame.tsx'

type Entity = 'member' | 'order'

export const Unknown = ({ entity }: { entity: Entity }) => (
  <EmptyState icon={SearchX} title={entity === 'member' ? 'User not found' : 'Order Not Found'}>
    There is no {entity} with this id. Check the address for typos.
  </EmptyState>
)

interface ForbiddenProps {
  entity: Entity
  id: string
  permission: Permission
}

/** A pasted address leads to what the admin may not view. */
export const Forbidden = ({ entity, id, permission }: ForbiddenProps) => (
  <PeekFrame
    entity={entity}
    name={entity}
    link={<Link {...(entity === 'member' ? paths.user(id) : paths.order(id))} />}
  >
    <EmptyState icon={Lock} title="No access">
      Your role does not have the permission “{permissionLabels[permission]}”.
    </EmptyState>
  </PeekFrame>
)
