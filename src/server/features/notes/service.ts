export { buildNoteList, eraseNotes, listMentions, noteColumns, noteTables } from './notes.ts'
