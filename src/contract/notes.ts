import type { Routes } from './route.ts'
import type { noteSchemas } from './schemas/notes.ts'

/** The newest notes that a line of the bank shows, the pinned first. */
export const mostLineNotes = 100

/** Characters of a note. */
export const maxNoteText = 4000

/** Unseen mentions that the bell lists, the newest. */
export const mostMentions = 20

export const noteRoutes: Routes<typeof noteSchemas> = {
  writeOnMember: { method: 'POST', path: '/api/users/:id/notes', access: ['members.view', 'notes.write'] },
  writeOnOrder: { method: 'POST', path: '/api/orders/:id/notes', access: ['orders.view', 'notes.write'] },
  writeOnBankLine: { method: 'POST', path: '/api/bank/lines/:id/notes', access: ['bank.view', 'notes.write'] },
  edit: { method: 'PATCH', path: '/api/notes/:id', access: 'notes.write', versioned: true },
  pin: { method: 'PATCH', path: '/api/notes/:id/pin', access: 'notes.write' },
  see: { method: 'POST', path: '/api/notes/:id/see', access: 'notes.view', repeatable: true },
  versions: { method: 'GET', path: '/api/notes/:id/versions', access: 'notes.view', readsMembers: true },
}
