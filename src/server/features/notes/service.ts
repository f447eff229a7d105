export { buildNoteList, eraseNotes, noteColumns, noteTables } from './notes.ts'
