import * as z from 'zod/mini'
import { PlatformId, text } from './common.ts'
import { route } from './route.ts'

const Access = z.object({ token: z.string(), userId: z.string(), documentPath: z.string() })
const Token = z.object({ token: text(200) })

/** How long the browser reuses a token, and how long the server honours it (SPEC section 9, PRODUCT 3.17). */
export const documentTokenMinutes = { cached: 9, valid: 10 }

/** What the image call answers when it can't show the image. */
export const DocumentFailure = z.object({ message: z.string(), suggestion: z.string(), status: z.int() })

export const documentRoutes = {
  token: route({
    method: 'POST',
    path: '/api/documents/token',
    summary: 'A token to view one document of one member, for this session',
    body: z.strictObject({ documentPath: text(200, 1), userId: PlatformId }),
    reply: z.object({ token: z.string() }),
  }),
  view: route({
    method: 'GET',
    path: '/api/documents/view/:token',
    summary: 'What a token stands for',
    params: Token,
    reply: Access,
  }),
  proxy: route({
    method: 'GET',
    path: '/api/documents/proxy/:token',
    summary: 'The image itself',
    params: Token,
    raw: true,
  }),
}
