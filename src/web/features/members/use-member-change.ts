import type { ReactNode } from 'react'
import type { Member } from '#contract/schemas/members.ts'
import { useChange } from '#web/changes/use-change.ts'
import { refetchMembers } from '#web/members/refetch.ts'
import { memberQuery } from './queries.ts'

interface MemberChange {
  member: Member
  send: (member: Member) => Promise<{ user: Member }>
  success: string
  describe: (reply: { user: Member }) => ReactNode
  failure: string
  onDone: () => void
}

/** A change of a member, from a dialog. */
export const useMemberChange = ({ member, ...rest }: MemberChange) =>
  useChange({
    entity: member,
    fetchFresh: async ({ id }, client) => (await client.fetchQuery({ ...memberQuery(id), staleTime: 0 })).user,
    refetch: refetchMembers,
    ...rest,
  })
