import type { ExamplesOf } from './example-types.ts'
import { order, user } from './samples.ts'

const note = {
  id: '7',
  userId: 'm-1041',
  order: null,
  text: 'Pays from a joint account. Deed seen.',
  author: 'ada',
  isOwn: true,
  createdAt: '2026-01-06T09:00:00.000Z',
  editedAt: null,
  pinnedBy: 'ada',
  version: 1,
}

const nothing = {
  order: null,
  amount: null,
  unit: null,
  subject: null,
  state: null,
  attemptNumber: null,
  fields: null,
  text: null,
  link: null,
  note: null,
}

const placed = {
  ...nothing,
  id: '11.12',
  kind: 'orders' as const,
  type: 'order_placed' as const,
  at: '2026-01-05T09:00:00.000Z',
  actor: null,
  order: { id: '12', orderNumber: 'ORD-2026-00012' },
  amount: '2500.00',
  unit: 'EUR',
  text: 'Harbour Lofts',
}

export const activity: ExamplesOf<'activity'> = {
  member: {
    params: { id: 'm-1041' },
    query: { kind: 'notes' },
    reply: {
      entries: [{ ...nothing, id: '21.7', kind: 'notes', type: 'note', at: note.createdAt, actor: 'ada', note }],
      total: 1,
      next: null,
      memberId: 'm-1041',
      pinned: [note],
    },
  },
  order: {
    params: { id: '12' },
    reply: { entries: [placed], total: 1, next: null, memberId: 'm-1041', pinned: [] },
  },
}

export const peek: ExamplesOf<'peek'> = {
  member: {
    params: { id: 'm-1041' },
    query: { ahead: 'true' },
    reply: {
      user,
      attemptNumber: 1,
      holdings: [{ unit: 'EHAVN', amount: '1250.00' }],
      openOrders: [{ unit: 'EUR', amount: '2500.00' }],
      nextOrder: order,
      reviewId: null,
      activity: activity.member.reply,
    },
  },
  order: { params: { id: '12' }, reply: { order, activity: activity.order.reply } },
}

const written = { message: 'Note saved', note: { ...note, pinnedBy: null } }

export const notes: ExamplesOf<'notes'> = {
  writeOnMember: { params: { id: 'm-1041' }, body: { text: note.text }, reply: written },
  writeOnOrder: {
    params: { id: '12' },
    body: { text: note.text },
    reply: { ...written, note: { ...written.note, order: { id: '12', orderNumber: 'ORD-2026-00012' } } },
  },
  edit: { params: { id: '7' }, body: { text: note.text }, reply: written },
  pin: { params: { id: '7' }, body: { isPinned: true }, reply: { message: 'Note pinned', note } },
  versions: {
    params: { id: '7' },
    reply: { userId: 'm-1041', versions: [{ text: note.text, writtenAt: note.createdAt }] },
  },
}
