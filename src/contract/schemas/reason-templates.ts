import * as z from 'zod/mini'
import { maxReason } from '#contract/members.ts'
import { isLanguage, maxTemplateName } from '#contract/reason-templates.ts'
import type { RouteSchemas } from '#contract/route.ts'
import { filled, RowId } from './common.ts'

/** A reason of a rejection under a name, in one language. */
export const ReasonTemplate = z.object({
  id: z.string(),
  name: z.string(),
  language: z.string(),
  text: z.string(),
  isShared: z.boolean(),
  isOwn: z.boolean(),
  owner: z.string(),
  version: z.int(),
})
export type ReasonTemplate = z.infer<typeof ReasonTemplate>

export const NewTemplate = z.strictObject({
  name: filled(maxTemplateName),
  language: z.string().check(z.refine(isLanguage, 'must be the code of a language, such as en')),
  text: filled(maxReason),
  isShared: z.boolean(),
})
export type NewTemplate = z.infer<typeof NewTemplate>
export const TemplateChange = z.partial(NewTemplate)
export type TemplateChange = z.infer<typeof TemplateChange>

const Id = z.object({ id: RowId })
const PutReply = z.object({ message: z.string(), template: ReasonTemplate })

export const templateSchemas = {
  list: {
    summary: 'Templates of rejection reasons, own and shared',
    reply: z.object({ templates: z.array(ReasonTemplate) }),
  },
  create: {
    summary: 'Save a template of a rejection reason',
    body: NewTemplate,
    reply: PutReply,
    refuses: ['template_taken', 'templates_full'],
  },
  change: {
    summary: 'Change a template, share it with all, or end that',
    params: Id,
    body: TemplateChange,
    reply: PutReply,
    refuses: ['template_taken'],
  },
  remove: { summary: 'Delete a template', params: Id, reply: z.object({ message: z.string() }) },
} satisfies Record<string, RouteSchemas>
