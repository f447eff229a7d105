import { parseArgs } from 'node:util'
import { type RetentionKind, retentionKinds, retentionLabels } from '#contract/retention.ts'
import type { Ctx } from '#server/core/context.ts'
import { liftHold, listHolds, placeHold, readRules, setRule } from '#server/features/retention/service.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { formatTable } from './table.ts'

export const retentionUsage = `  retention list               what is deleted after how many days, and who said so
  retention set <kind> <days>  delete it after so many days: approved_pictures, rejected_pictures, message_bodies,
                               messages or security_events;
                               with the word keep instead of days: never
  hold list                    legal holds, the oldest first
  hold place <member> <reason> from now on nothing of this member is erased or deleted
  hold lift <member>           let it be erased and deleted again`

type Run = (ctx: Ctx) => Promise<string>
const wrong = (problem: string) => new CommandError(problem, 2)

function readWords(args: string[]): string[] {
  try {
    return parseArgs({ args, allowPositionals: true, options: {} }).positionals
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

const isKind = (word: string): word is RetentionKind => retentionKinds.some((kind) => kind === word)

/** `npm run admin -- retention …`: the words behind it. Throws CommandError for what is no command. */
export function readRetentionCommand(args: string[]): Run {
  const [verb, kind = '', days = '', ...more] = readWords(args)
  if (verb === 'list' && !kind) return listRules
  if (verb !== 'set') throw wrong('retention needs one more word: list or set')
  if (!isKind(kind)) throw wrong(`retention set names a kind: ${retentionKinds.join(', ')}`)
  if (days !== 'keep' && !/^\d{1,6}$/.test(days)) throw wrong('retention set names days, or keep')
  if (more.length > 0) throw wrong(`retention set does not know what to do with "${more[0]}"`)
  return changeRule(kind, days === 'keep' ? null : Number(days))
}

/** `npm run admin -- hold …`: the words behind it. Throws CommandError for what is no command. */
export function readHoldCommand(args: string[]): Run {
  const [verb, member, ...reason] = readWords(args)
  if (verb === 'list' && member === undefined) return listAllHolds
  if (verb !== 'place' && verb !== 'lift') throw wrong('hold needs one more word: list, place or lift')
  if (member === undefined) throw wrong(`hold ${verb} names a member`)
  if (verb === 'place' && reason.length === 0) throw wrong('hold place needs a reason')
  if (verb === 'lift' && reason.length > 0) throw wrong(`hold lift does not know what to do with "${reason[0]}"`)
  return verb === 'place' ? place(member, reason.join(' ')) : lift(member)
}

const describeDays = (days: number | null) => (days === null ? 'kept' : days === 1 ? '1 day' : `${days} days`)

const listRules: Run = async (ctx) =>
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
  (kind: RetentionKind, days: number | null): Run =>
  async (ctx) => {
    await setRule(ctx, kind, days)
    return days === null
      ? `${retentionLabels[kind]}: kept until the member is erased.`
      : `${retentionLabels[kind]}: deleted after ${describeDays(days)}, within the hour.`
  }

const listAllHolds: Run = async (ctx) => {
  const holds = await listHolds(ctx)
  if (holds.length === 0) return 'There is no legal hold.'
  return formatTable(
    ['member', 'since', 'placed by', 'reason'],
    holds.map(({ memberId, placedAt, placedBy, reason }) => [memberId, placedAt, placedBy, reason]),
  )
}

const place =
  (member: string, reason: string): Run =>
  async (ctx) => {
    await placeHold(ctx, member, reason)
    return `Nothing of the member ${member} is erased or deleted until: npm run admin -- hold lift ${member}`
  }

const lift =
  (member: string): Run =>
  async (ctx) => {
    await liftHold(ctx, member)
    return `The legal hold on the member ${member} is lifted.`
  }
