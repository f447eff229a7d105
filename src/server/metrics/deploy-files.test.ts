import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '#test/support/server.ts'
import { startMetricsServer } from './metrics-server.ts'

const { services } = await startServer()
const metrics = await startMetricsServer(services, { port: 0, host: '127.0.0.1' })
afterAll(metrics.close)
const root = join(import.meta.dirname, '../../..')

const known = new Set(
  [...(await services.metrics.registry.metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name!],
  ),
)
/** Names of ours in an expression of Prometheus. */
const namesIn = (text: string) => [...text.matchAll(/\b(?:back_office|nodejs|process)_\w+/g)].map(([name]) => name)

test.each(['deploy/alerts.yml', 'deploy/dashboard.json'])('%s names only metrics that there are', (file) => {
  const names = namesIn(readFileSync(join(root, file), 'utf8'))
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

test('every metric of the console stands in the handbook, and no other', () => {
  const handbook = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const chapter = /\n## Metrics and alerts\n(.*?)\n## /s.exec(handbook)![1]!
  const base = (name: string) => name.replace(/_(bucket|sum|count)$/, '')
  const own = new Set([...known].filter((name) => name.startsWith('back_office_')).map(base))
  expect(new Set(namesIn(chapter).map(base))).toEqual(own)
})

test('every alert of the rules stands in the handbook with what to do', () => {
  const handbook = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const alerts = [...readFileSync(join(root, 'deploy/alerts.yml'), 'utf8').matchAll(/alert: (\w+)/g)].map(
    ([, name]) => name!,
  )
  expect(alerts.length).toBeGreaterThan(5)
  expect(alerts.filter((name) => !handbook.includes(`| \`${name}\` |`))).toEqual([])
})
