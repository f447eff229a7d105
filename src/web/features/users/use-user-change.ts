import type { ReactNode } from 'react'
import type { User } from '#contract/schemas/users.ts'
import { useChange } from '#web/changes/use-change.ts'
import { refetchMembers } from '#web/members/refetch.ts'
import { userQuery } from './queries.ts'

interface UserChange {
  user: User
  send: (user: User) => Promise<{ user: User }>
  success: string
  describe: (reply: { user: User }) => ReactNode
  failure: string
  onDone: () => void
}

/** A change of a member, from a dialog. */
export const useUserChange = ({ user, ...rest }: UserChange) =>
  useChange({
    entity: user,
    fetchFresh: async ({ id }, client) => (await client.fetchQuery({ ...userQuery(id), staleTime: 0 })).user,
    refetch: refetchMembers,
    ...rest,
  })
