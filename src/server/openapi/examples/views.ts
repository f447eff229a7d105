import type { ExamplesOf } from './example-types.ts'

const id = '7'
const search = 'created=last7&status=pending'

export const views: ExamplesOf<'views'> = {
  list: {
    query: { timeZone: 'Europe/Lisbon' },
    reply: {
      views: [
        {
          id,
          list: 'users',
          name: 'New and pending',
          search,
          isShared: true,
          isOwn: true,
          owner: 'ada',
          total: 41,
          totalExact: true,
          createdAt: '2026-01-05T09:00:00.000Z',
          version: 1,
        },
      ],
    },
  },
  create: {
    body: { list: 'users', name: 'New and pending', search },
    reply: { message: 'View saved', id, version: 1 },
  },
  change: { params: { id }, body: { name: 'Pending, new' }, reply: { message: 'View saved', id, version: 2 } },
  share: { params: { id }, body: { isShared: true }, reply: { message: 'View shared', id, version: 3 } },
  remove: { params: { id }, reply: { message: 'View deleted' } },
}
