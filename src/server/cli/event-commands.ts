import type { Ctx } from '#server/context.ts'

/** `npm run admin -- events …`: the words after `events`. Throws CommandError for what is no command. */
export function readEventCommand(_words: string[]): (ctx: Ctx) => Promise<string> {
  return async () => ''
}
