import type { AlarmState } from '#contract/schemas/security.ts'
import type { Ctx } from '#server/core/context.ts'
import { readAlarms } from '#server/features/alarms/service.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { formatTable } from './table.ts'

export const alarmUsage = `  alarms status                where security events and audit rows are sent, what waits, and what fails`

/** `npm run admin -- alarms …`: the words after `alarms`. Throws CommandError for what is no command. */
export function readAlarmCommand([verb, ...more]: string[]): (ctx: Ctx) => Promise<string> {
  if (verb === undefined) throw new CommandError('alarms needs one more word: status', 2)
  if (verb !== 'status') throw new CommandError(`There is no command "alarms ${verb}"`, 2)
  if (more.length > 0) throw new CommandError(`alarms status does not know what to do with "${more[0]}"`, 2)
  return async (ctx) => {
    const outputs = await readAlarms(ctx)
    if (outputs.length === 0) return 'Nothing is sent: none of ALARMS_URL, ALARMS_LOG and ALARMS_SYSLOG is set here.'
    return formatTable(
      ['output', 'waiting', 'last sent', 'failing since', 'next try', 'problem'],
      outputs.map(listCells),
    )
  }
}

const listCells = ({ output, waiting, lastSentAt, failingSince, nextTryAt, problem }: AlarmState) => [
  output,
  String(waiting),
  lastSentAt ?? 'never',
  failingSince ?? '–',
  nextTryAt ?? '–',
  problem ?? '–',
]
