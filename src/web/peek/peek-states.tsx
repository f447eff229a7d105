import { Lock, SearchX } from 'lucide-react'
import type { Permission } from '#contract/permissions.ts'
import { permissionLabels } from '#contract/permission-labels.ts'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PeekFrame } from './peek-frame.tsx'

/** Has the measures of identity, figures and five entries, so that nothing jumps. */
export const PeekSkeleton = () => (
  <div>
    <output className="sr-only">Loading...</output>
    <div aria-hidden>
      <div className="flex items-center gap-3">
        <Skeleton className="size-11 rounded-full!" />
        <span className="grid gap-2">
          <Skeleton className="h-5 w-44" />
          <Skeleton className="h-3 w-64 max-w-full" />
        </span>
      </div>
      <Skeleton className="mt-5 h-1 w-full" />
      <Skeleton className="mt-9 h-21 w-full rounded-l!" />
      <div className="mt-8 grid gap-5">
        {['w-52', 'w-64', 'w-44', 'w-60', 'w-48'].map((width) => (
          <span key={width} className="flex items-center gap-3">
            <Skeleton className="size-7 rounded-full!" />
            <Skeleton className={`h-3.5 max-w-full ${width}`} />
          </span>
        ))}
      </div>
    </div>
  </div>
)

/** Somebody else has changed the record. */
export const ChangedNote = ({ entity, onReload }: { entity: string; onReload: () => void }) => (
  <output className="mb-3 block">
    <Note
      action={
        <Button size="small" onClick={onReload}>
          Reload
        </Button>
      }
    >
      This {entity} has changed meanwhile.
    </Note>
  </output>
)

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
