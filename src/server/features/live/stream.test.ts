import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { liveLists } from '#contract/live.ts'
import { LiveStream } from './hub.ts'

const listening = { sessionId: '1', lists: new Set(liveLists) }

test('a client that does not read is dropped, not buffered for', () => {
  const stuck = new Writable({ write: () => {} })
  const stream = new LiveStream(stuck, listening)
  for (let at = 0; at < 1000 && !stuck.destroyed; at++)
    stream.send({ type: 'changed', lists: ['users'] }, `00000000-${at}`)
  expect(stuck.destroyed).toBe(true)
  stream.heartbeat(1, '00000000-1')
  stream.end('00000000-1')
})

test('a stream tells how long to wait before coming back', () => {
  const sink = new PassThrough()
  new LiveStream(sink, listening).heartbeat(1, '00000000-0')
  expect(String(sink.read())).toMatch(/^retry: [12]\d{3}\n\nevent: heartbeat\nid: 00000000-0\ndata: \{\}\n\n$/)
})

test('a heartbeat names the build of the web app that the server serves', () => {
  const sink = new PassThrough()
  new LiveStream(sink, listening, '0123456789ab').heartbeat(1)
  expect(String(sink.read())).toContain('event: heartbeat\ndata: {"build":"0123456789ab"}\n\n')
})

test('a heartbeat gives many consoles more time to fetch a change, and few none', () => {
  const told = [1, 50, 60, 1000, 100_000].map((streams) => {
    const sink = new PassThrough()
    new LiveStream(sink, listening).heartbeat(streams)
    return /"spreadMs":(\d+)/.exec(String(sink.read()))?.[1]
  })
  expect(told).toEqual([undefined, undefined, '20', '1900', '5000'])
})

test('a stream names only lists that its admin may view', () => {
  const sink = new PassThrough()
  const stream = new LiveStream(sink, { sessionId: '1', lists: new Set(['orders'] as const) })
  sink.read()
  stream.send({ type: 'changed', lists: ['security', 'orders'] }, '00000000-1')
  stream.send({ type: 'changed', lists: ['security'] }, '00000000-2')
  expect(String(sink.read())).toBe('id: 00000000-1\ndata: {"type":"changed","lists":["orders"]}\n\n')
})
