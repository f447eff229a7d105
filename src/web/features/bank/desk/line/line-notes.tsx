import type { Note } from '#contract/schemas/notes.ts'
import { NoteForm } from '#web/activity/note-form.tsx'
import { NoteText } from '#web/activity/note-text.tsx'
import { useCan } from '#web/use-can.ts'

/** What operators wrote on the line, for who may view notes. */
export function LineNotes({ id, notes }: { id: string; notes: readonly Note[] }) {
  const canWrite = useCan('notes.write')
  if (!canWrite && notes.length === 0) return null
  return (
    <section aria-label="Notes" className="mt-6">
      <h3 className="mb-1.5">Notes</h3>
      {canWrite && <NoteForm subject={{ type: 'bankLine', id }} />}
      <ul className="grid gap-2">
        {notes.map((note) => (
          <li key={note.id}>
            <NoteText note={note} hasHead />
          </li>
        ))}
      </ul>
    </section>
  )
}
