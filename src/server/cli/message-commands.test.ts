import { expect, test } from 'vitest'
import { startServer } from '#test/support/server.ts'
import { readCommand } from './admin-commands.ts'

const server = await startServer({ WEBHOOK_ALLOW_PRIVATE: 'on' })
const endpoint = (...words: string[]) => readCommand(['endpoint', ...words])!(server.system)

test('endpoint create shows the secret once, and list never', async () => {
  const made = await endpoint('create', 'Billing', 'https://billing.example.com/in', '--types', 'order.paid,kyc.reset')
  const secret = /^Secret: (whsec_\S{44})$/m.exec(made)?.[1]
  expect(made).toContain('Events go to Billing (billing.example.com) from now on; its id is 2.')
  const list = await endpoint('list')
  expect(list).toMatch(/^1 +Platform +PLATFORM_WEBHOOK_URL is not set here +unset +all/m)
  expect(list).toMatch(/^2 +Billing +billing\.example\.com +untried +kyc\.reset,order\.paid +never +0 +0 +1$/m)
  expect(list).not.toContain(secret)
})

test('endpoint set, on and off change what is given', async () => {
  expect(await endpoint('off', '2')).toBe('Billing is changed; it is off.')
  expect(await endpoint('set', '2', '--name', 'Shop', '--types', 'all')).toBe('Shop is changed; it is off.')
  expect(await endpoint('on', '2')).toBe('Shop is changed; it is untried.')
  const [row] = await server.sql('SELECT name, types, url FROM platform_endpoints WHERE id = 2')
  expect(row).toEqual({ name: 'Shop', types: null, url: 'https://billing.example.com/in' })
})

test('a secret is replaced by new-secret and end-secret', async () => {
  expect(await endpoint('new-secret', '2')).toMatch(/^Secret: whsec_\S+\nIt is shown this once\.$/)
  await expect(endpoint('new-secret', '2')).rejects.toThrow('Two secrets sign already')
  expect(await endpoint('end-secret', '2')).toBe('The new secret of Shop signs alone.')
})

test('endpoint test and delete say what they did', async () => {
  expect(await endpoint('test', '2')).toMatch(/^The test event [0-9a-f-]{36} goes out\.$/)
  await expect(endpoint('test', '1')).rejects.toThrow('has no address: set PLATFORM_WEBHOOK_URL')
  await expect(endpoint('resume', '2')).rejects.toThrow('not paused')
  await expect(endpoint('delete', '2')).rejects.toThrow('1 event waits or was given up here')
  expect(await endpoint('delete', '2', '--drop-open')).toBe('Shop is deleted; 1 message was dropped.')
  await expect(endpoint('off', '2')).rejects.toThrow('not found')
})

test('other words are no command', () => {
  for (const words of [['go'], ['list', 'x'], ['create', 'A'], ['on'], ['on', '1', '2'], ['list', '--url', 'x'], []])
    expect(() => readCommand(['endpoint', ...words])).toThrow(
      /needs one more word|There is no command|knows no|does not know/,
    )
  expect(() => readCommand(['endpoint', 'create', 'A', 'ftp://a.example.com'])).toThrow('url: must be')
  expect(() => readCommand(['endpoint', 'set', '1', '--types', 'nothing'])).toThrow('types')
  expect(() => readCommand(['endpoint', 'set', '1'])).toThrow('endpoint set needs one of: --name, --url, --types')
})
