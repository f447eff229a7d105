export { buildNoteList } from './list.ts'
export { eraseNotes } from './notes.ts'
export { noteColumns, noteTables } from './select.ts'
