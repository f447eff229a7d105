export {
  buildNoteList,
  eraseBankLineNotes,
  eraseNotes,
  listMentions,
  noteColumns,
  noteTables,
  readBankLineNotes,
} from './notes.ts'
