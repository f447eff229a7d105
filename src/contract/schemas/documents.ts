import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { PlatformId, text } from './common.ts'

const Access = z.object({ token: z.string(), userId: z.string(), documentPath: z.string() })
const Token = z.object({ token: text(200) })

/** What the image call answers when it can't show the image. */
export const DocumentFailure = z.object({ message: z.string(), suggestion: z.string(), status: z.int() })

export const documentSchemas = {
  token: {
    summary: 'A token to view one document of one member, for this session',
    body: z.strictObject({ documentPath: text(200, 1), userId: PlatformId }),
    reply: z.object({ token: z.string() }),
    refuses: ['not_found'],
  },
  view: { summary: 'What a token stands for', params: Token, reply: Access },
  proxy: { summary: 'The image itself', params: Token },
} satisfies Record<string, RouteSchemas>
