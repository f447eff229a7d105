import type { NamedChange } from './crash-bank.ts'
import type { Change, CrashTools } from './crash-test.ts'
import { makeMember, makeOrder } from './make.ts'
import type { TestServer } from './server.ts'

interface NoteTools extends Pick<CrashTools, 'crashAtEachStatement'> {
  rowId: (statement: string) => Promise<string>
  makeLineAndOrder: () => Promise<{ lineId: string }>
}

/** The changes of notes, to be killed at each statement. */
export function createNoteChanges(
  server: TestServer,
  { crashAtEachStatement, rowId, makeLineAndOrder }: NoteTools,
): NamedChange[] {
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)
  /** A note of the operator who makes the calls. */
  const makeNote = async () => {
    const { id } = await makeMember(server)
    return rowId(`INSERT INTO notes (member_id, text, author_id)
      SELECT '${id}', 'First', id FROM admins WHERE username = 'ada' RETURNING id::text`)
  }
  return [
    [
      'a note on a member',
      'POST /api/users/:id/notes',
      change({
        make: () => makeMember(server),
        act: ({ call }, { id }) => call('POST', `/api/users/${id}/notes`, { text: 'Called' }),
      }),
    ],
    [
      'a note on an order',
      'POST /api/orders/:id/notes',
      change({
        make: async () => makeOrder(server, (await makeMember(server)).id),
        act: ({ call }, { id }) => call('POST', `/api/orders/${id}/notes`, { text: 'Called' }),
      }),
    ],
    [
      'a note on a line of the bank',
      'POST /api/bank/lines/:id/notes',
      change({
        make: makeLineAndOrder,
        act: ({ call }, { lineId }) => call('POST', `/api/bank/lines/${lineId}/notes`, { text: 'Called' }),
      }),
    ],
    [
      'the edit of a note',
      'PATCH /api/notes/:id',
      change({ make: makeNote, act: ({ call }, id) => call('PATCH', `/api/notes/${id}`, { text: 'Second' }) }),
    ],
    [
      'a mention that was seen',
      'POST /api/notes/:id/see',
      change({
        make: async () => {
          const id = await makeNote()
          await server.sql(
            `INSERT INTO note_mentions (note_id, admin_id) SELECT $1, id FROM admins WHERE username = 'ada'`,
            [id],
          )
          return id
        },
        act: ({ call }, id) => call('POST', `/api/notes/${id}/see`),
      }),
    ],
    [
      'the pin of a note',
      'PATCH /api/notes/:id/pin',
      change({ make: makeNote, act: ({ call }, id) => call('PATCH', `/api/notes/${id}/pin`, { isPinned: true }) }),
    ],
  ]
}
