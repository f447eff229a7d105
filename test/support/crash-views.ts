import { randomUUID } from 'node:crypto'
import type { NamedChange } from './crash-bank.ts'
import type { Change, CrashTools } from './crash-test.ts'

interface ViewTools extends Pick<CrashTools, 'crashAtEachStatement'> {
  rowId: (statement: string) => Promise<string>
}

/** The changes of saved views and of templates of reasons, to be killed at each statement. */
export function createViewChanges({ crashAtEachStatement, rowId }: ViewTools): NamedChange[] {
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)
  /** A shared view of the operator who makes the calls. */
  const makeView = () =>
    rowId(`INSERT INTO list_views (owner_id, list, name, search, is_shared)
      SELECT id, 'users', '${randomUUID()}', 'status=banned', true FROM admins WHERE username = 'ada' RETURNING id::text`)
  /** A shared template of the same operator. */
  const makeTemplate = () =>
    rowId(`INSERT INTO reason_templates (owner_id, name, language, text, is_shared)
      SELECT id, '${randomUUID()}', 'en', 'Blurred', true FROM admins WHERE username = 'ada' RETURNING id::text`)
  return [
    [
      'a template of a reason',
      'POST /api/reason-templates',
      change({
        make: async () => ({ name: randomUUID(), language: 'en', text: 'Blurred', isShared: true }),
        act: ({ call }, body) => call('POST', '/api/reason-templates', body),
        statusAgain: 409,
      }),
    ],
    [
      'a change of a template',
      'PATCH /api/reason-templates/:id',
      change({
        make: makeTemplate,
        act: ({ call }, id) => call('PATCH', `/api/reason-templates/${id}`, { text: 'Not sharp' }),
      }),
    ],
    [
      'the deletion of a template',
      'DELETE /api/reason-templates/:id',
      change({
        make: makeTemplate,
        act: ({ call }, id) => call('DELETE', `/api/reason-templates/${id}`),
        statusAgain: 404,
      }),
    ],
    [
      'a saved view',
      'POST /api/views',
      change({
        make: async () => ({ list: 'orders', name: randomUUID(), search: 'status=paid' }),
        act: ({ call }, body) => call('POST', '/api/views', body),
        statusAgain: 409,
      }),
    ],
    [
      'a change of a saved view',
      'PATCH /api/views/:id',
      change({ make: makeView, act: ({ call }, id) => call('PATCH', `/api/views/${id}`, { search: 'status=active' }) }),
    ],
    [
      'the end of sharing a saved view',
      'PATCH /api/views/:id/sharing',
      change({ make: makeView, act: ({ call }, id) => call('PATCH', `/api/views/${id}/sharing`, { isShared: false }) }),
    ],
    [
      'the deletion of a saved view',
      'DELETE /api/views/:id',
      change({ make: makeView, act: ({ call }, id) => call('DELETE', `/api/views/${id}`), statusAgain: 404 }),
    ],
  ]
}
