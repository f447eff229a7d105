import * as z from 'zod/mini'

export const sessionEndingSchemas = {
  read: {
    summary: 'Why the session of this browser has ended, in a sentence; null where there was none, or it goes on',
    reply: z.object({ message: z.nullable(z.string()) }),
  },
}
