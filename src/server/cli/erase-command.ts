import { eraseMember } from '#server/features/erasure/service.ts'
import { CommandError } from '#server/lib/command-error.ts'
import type { Command } from './command.ts'

export function eraseCommand(member: string, isMeant: boolean): Command {
  if (!isMeant) throw new CommandError(`This cannot be undone. To erase the member ${member}: erase ${member} --yes`, 2)
  return async (ctx) => {
    const { outcome, erasedAt } = await eraseMember(ctx, member)
    return outcome === 'erased'
      ? `The member ${member} is erased.`
      : `The member ${member} was erased already, at ${erasedAt}.`
  }
}
