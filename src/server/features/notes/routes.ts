import type { FastifyInstance } from 'fastify'
import { noteRoutes } from '#contract/notes.ts'
import { mount } from '#server/http/mount.ts'
import { seeMentions } from './mentions.ts'
import { editNote, pinNote, readNoteVersions, writeBankLineNote, writeMemberNote, writeOrderNote } from './notes.ts'

export function registerNoteRoutes(app: FastifyInstance): void {
  mount(app, noteRoutes.writeOnMember, async (ctx, { params, body }) => ({
    message: 'Note saved',
    note: await writeMemberNote(ctx, params.id, body.text),
  }))

  mount(app, noteRoutes.writeOnOrder, async (ctx, { params, body }) => ({
    message: 'Note saved',
    note: await writeOrderNote(ctx, params.id, body.text),
  }))

  mount(app, noteRoutes.writeOnBankLine, async (ctx, { params, body }) => ({
    message: 'Note saved',
    note: await writeBankLineNote(ctx, params.id, body.text),
  }))

  mount(app, noteRoutes.edit, async (ctx, { params, body, ifMatch }) => ({
    message: 'Note saved',
    note: await editNote(ctx, params.id, body.text, ifMatch),
  }))

  mount(app, noteRoutes.pin, async (ctx, { params, body }) => ({
    message: body.isPinned ? 'Note pinned' : 'Note unpinned',
    note: await pinNote(ctx, params.id, body.isPinned),
  }))

  mount(app, noteRoutes.see, async (ctx, { params }) => seeMentions(ctx, params.id))

  mount(
    app,
    noteRoutes.versions,
    async (ctx, { params }) => readNoteVersions(ctx, params.id),
    ({ userId, bankLineId }) =>
      userId === null ? { kind: 'bank_line', opened: bankLineId! } : { kind: 'member', opened: userId },
  )
}
