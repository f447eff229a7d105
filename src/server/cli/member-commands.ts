import { type RetentionKind, retentionKinds, retentionLabels } from '#contract/retention.ts'
import { eraseMember } from '#server/features/erasure/service.ts'
import { liftHold, listHolds, placeHold, readRules, setRule } from '#server/features/retention/service.ts'
import { type Command, defineCommand, usageError } from './command.ts'
import { count, formatTable } from './output.ts'

const isKind = (word: string): word is RetentionKind => retentionKinds.some((kind) => kind === word)

const erase =
  (member: string): Command =>
  async (ctx) => {
    const { outcome, erasedAt } = await eraseMember(ctx, member)
    return outcome === 'erased'
      ? `The member ${member} is erased.`
      : `The member ${member} was erased already, at ${erasedAt}.`
  }

const describeDays = (days: number | null) => (days === null ? 'kept' : count(days, 'day'))

const listRules: Command = async (ctx) =>
  formatTable(
    ['kind', 'what', 'kept for', 'set by', 'at'],
    (await readRules(ctx)).map(({ kind, days, changedBy, changedAt }) => [
      kind,
      retentionLabels[kind],
      describeDays(days),
      changedBy ?? '',
      changedAt ?? '',
    ]),
  )

const changeRule =
  (kind: RetentionKind, days: number | null): Command =>
  async (ctx) => {
    await setRule(ctx, kind, days)
    return days === null
      ? `${retentionLabels[kind]}: kept until the member is erased.`
      : `${retentionLabels[kind]}: deleted after ${describeDays(days)}, within the hour.`
  }

const listAllHolds: Command = async (ctx) => {
  const holds = await listHolds(ctx)
  if (holds.length === 0) return 'There is no legal hold.'
  return formatTable(
    ['member', 'since', 'placed by', 'reason'],
    holds.map(({ memberId, placedAt, placedBy, reason }) => [memberId, placedAt, placedBy, reason]),
  )
}

const place =
  (member: string, reason: string): Command =>
  async (ctx) => {
    await placeHold(ctx, member, reason)
    return `Nothing of the member ${member} is erased or deleted until: npm run admin -- hold lift ${member}`
  }

const lift =
  (member: string): Command =>
  async (ctx) => {
    await liftHold(ctx, member)
    return `The legal hold on the member ${member} is lifted.`
  }

export const memberCommands = [
  defineCommand(
    'erase <member>',
    'remove what is stored of a member, for ever; orders and payments keep the id',
    ({ member, yes }) => {
      if (!yes) throw usageError(`This cannot be undone. To erase the member ${member}: erase ${member} --yes`)
      return erase(member)
    },
    { yes: 'say that it is meant' },
  ),
  defineCommand('retention list', 'what is deleted after how many days, and who said so', () => listRules),
  defineCommand(
    'retention set <kind> <days>',
    `delete it after so many days: ${retentionKinds.join(', ')}; with the word keep instead of days: never`,
    ({ kind, days }) => {
      if (!isKind(kind)) throw usageError(`retention set names a kind: ${retentionKinds.join(', ')}`)
      if (days !== 'keep' && !/^\d{1,6}$/.test(days)) throw usageError('retention set names days, or keep')
      return changeRule(kind, days === 'keep' ? null : Number(days))
    },
  ),
  defineCommand('hold list', 'legal holds, the oldest first', () => listAllHolds),
  defineCommand(
    'hold place <member> <reason...>',
    'from now on nothing of this member is erased or deleted',
    ({ member, 'reason...': reason }) => place(member, reason),
  ),
  defineCommand('hold lift <member>', 'let it be erased and deleted again', ({ member }) => lift(member)),
]
