import { expect, test } from 'vitest'
import { describeDevice } from './describe-device.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/142.0.0.0 Safari/537.36`,
    'Chrome 142 on Windows',
    'computer',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    'Microsoft Edge 142 on Windows',
    'computer',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox 145 on Linux', 'computer'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    'Safari 26 on macOS',
    'computer',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
    'Safari 26 on iOS',
    'phone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/142.0.0.0 Mobile Safari/537.36`,
    'Chrome 142 on Android',
    'phone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1',
    'Safari 17 on iOS',
    'tablet',
  ],
])('%s is %s', (userAgent, device, deviceKind) => {
  expect(describeDevice(userAgent)).toEqual({ device, deviceKind })
})

test.each([
  ['curl/8.5.0', 'curl 8.5.0'],
  ['python-requests/2.32.3', 'python-requests 2.32.3'],
  ['Test Browser', 'Test'],
  [`${'x'.repeat(200)}/1`, 'x'.repeat(60)],
])('a program names itself: %s', (userAgent, device) => {
  expect(describeDevice(userAgent)).toEqual({ device, deviceKind: 'program' })
})

test('nothing said is an unknown device', () => {
  for (const userAgent of ['', '  ']) expect(describeDevice(userAgent).deviceKind).toBe('unknown')
})
