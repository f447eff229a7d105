import { roleLabels } from '#contract/permissions.ts'
import type { AccountAdmin } from '#contract/schemas/account.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue } from '#web/ui/section.tsx'

/** Who is signed in, in which role, since when there is such an operator, and the last sign-in. */
export function Profile({ admin }: { admin: AccountAdmin }) {
  return (
    <div className="rounded-l border bg-card px-4 pt-4 pb-1.5">
      <div className="mb-3 flex min-w-0 items-center gap-3">
        <Avatar big name={admin.username} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-16 font-semibold" title={admin.username}>
            <bdi>{admin.username}</bdi>
          </p>
          <p className="text-13 text-quiet">{roleLabels[admin.role]}</p>
        </div>
      </div>
      <Facts>
        <Fact name="Operator since">
          <Instant value={admin.createdAt} />
        </Fact>
        <Fact name="Last sign-in">
          {admin.lastSignInAt ? <Instant value={admin.lastSignInAt} /> : <MissingValue>Not yet</MissingValue>}
        </Fact>
      </Facts>
    </div>
  )
}
