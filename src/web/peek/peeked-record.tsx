import type { UseQueryOptions } from '@tanstack/react-query'
import { Lock, SearchX } from 'lucide-react'
import type { ComponentType, ComponentProps } from 'react'
import type { Permission } from '#contract/permissions.ts'
import { permissionLabels } from '#contract/permission-labels.ts'
import { Activity } from '#web/activity/activity.tsx'
import type { Subject } from '#web/activity/queries.ts'
import { ApiError, describeError } from '#web/api.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { useCan } from '#web/use-can.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { PeekFrame } from './peek-frame.tsx'
import type { PeekKind, PeekTarget } from './peek-target.ts'
import { usePeeked } from './use-peeked.ts'

interface PeekedRecordProps<Reply> {
  target: PeekTarget
  permission: Permission
  query: UseQueryOptions<Reply, Error, Reply, string[]>
  /** Tells a change from a reply that is the same. */
  version: (reply: Reply) => string
  name: (reply: Reply) => string
  /** The id of the shown record, which may still be the one before. */
  idOf: (reply: Reply) => string
  /** Whose activity stands below the summary. Undefined: it has none. */
  activity?: Subject['type']
  Actions: ComponentType<{ peek: Reply; onDone: () => void }>
  Summary: ComponentType<{ peek: Reply }>
}

interface Words {
  entity: string
  unknown: string
  linkTo?: (id: string) => ComponentProps<typeof PeekFrame>['link']
}

const wordsOf: Record<PeekKind, Words> = {
  member: { entity: 'member', unknown: 'User not found', linkTo: (id) => <Link {...paths.member(id)} /> },
  order: { entity: 'order', unknown: 'Order Not Found', linkTo: (id) => <Link {...paths.order(id)} /> },
  bankLine: { entity: 'line', unknown: 'Line Not Found', linkTo: (line) => <Link {...paths.bank({ line })} /> },
  message: { entity: 'message', unknown: 'Message Not Found' },
}

const isUnknown = (error: unknown) => error instanceof ApiError && [400, 404].includes(error.status)

/** A record at a glance: itself, or that it is loading, unknown, forbidden or could not be loaded. */
export function PeekedRecord<Reply>(props: PeekedRecordProps<Reply>) {
  const { target, permission } = props
  const { entity, linkTo } = wordsOf[target.kind]
  if (useCan(permission)) return <ViewedRecord {...props} />
  // A pasted address leads to what the admin may not view.
  return (
    <PeekFrame entity={entity} name={entity} link={linkTo?.(target.id)}>
      <EmptyState icon={Lock} title="No access">
        Your role does not have the permission “{permissionLabels[permission]}”.
      </EmptyState>
    </PeekFrame>
  )
}

function ViewedRecord<Reply>({
  target,
  query,
  version,
  name,
  idOf,
  activity,
  Actions,
  Summary,
}: PeekedRecordProps<Reply>) {
  const { entity, unknown, linkTo } = wordsOf[target.kind]
  const peeked = usePeeked(target, query, version)
  const { reply, isOld, error, isFetching, isChanged } = peeked
  return (
    <PeekFrame
      entity={entity}
      name={reply && !error ? name(reply) : entity}
      link={linkTo?.(target.id)}
      isOld={isOld && !error}
      actions={
        reply &&
        !error && (
          <>
            {isChanged && <ChangedNote entity={entity} onReload={peeked.reload} />}
            <Actions key={idOf(reply)} peek={reply} onDone={() => void peeked.refresh()} />
          </>
        )
      }
    >
      {error ? (
        isUnknown(error) ? (
          <EmptyState icon={SearchX} title={unknown}>
            There is no {entity} with this id. Check the address for typos.
          </EmptyState>
        ) : (
          <ErrorState
            size="page"
            title={`Could not load this ${entity}`}
            message={describeError(error)}
            retryLabel="Retry"
            onRetry={peeked.retry}
            retrying={isFetching}
          />
        )
      ) : reply ? (
        <>
          <Summary peek={reply} />
          {activity && <Activity key={idOf(reply)} subject={{ type: activity, id: idOf(reply) }} className="mt-6" />}
        </>
      ) : (
        <PeekSkeleton />
      )}
    </PeekFrame>
  )
}

/** Has the measures of identity, figures and five entries, so that nothing jumps. */
const PeekSkeleton = () => (
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
const ChangedNote = ({ entity, onReload }: { entity: string; onReload: () => void }) => (
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
