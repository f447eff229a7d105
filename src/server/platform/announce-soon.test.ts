import { expect, test } from 'vitest'
import { changesChannel } from '#server/core/audit.ts'
import { startServer } from '#test/support/server.ts'
import { waitForAnnouncements, announceSoon } from './announce-soon.ts'

const { services } = await startServer()

test('lists are announced after a call that changed none of them (product 3.4)', async () => {
  const { database } = services
  const listener = await database.pool.connect()
  const heard: (string | undefined)[] = []
  listener.on('notification', ({ payload }) => heard.push(payload))
  await listener.query(`LISTEN ${changesChannel}`)
  announceSoon(services, [])
  await waitForAnnouncements(database)
  announceSoon(services, ['users'])
  await waitForAnnouncements(database)
  await expect.poll(() => heard).toEqual(['users'])
  await listener.query(`UNLISTEN ${changesChannel}`)
  listener.removeAllListeners('notification')
  listener.release()
})
