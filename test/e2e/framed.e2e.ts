import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from './support/harness.ts'

test('a page of others cannot show the console in a frame', async ({ browser, server }) => {
  const frame = `<!doctype html><title>Prizes</title><iframe name="console" src="${server.url}/login"></iframe>`
  const other = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(frame))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const page = await browser.newPage()
  try {
    const refusals: string[] = []
    page.on('console', (message) => refusals.push(message.text()))
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    await expect.poll(() => refusals.join('\n')).toMatch(/frame-ancestors/)
    await expect(page.frameLocator('iframe').getByLabel('Password')).toHaveCount(0)
    await page.goto(`${server.url}/login`)
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  } finally {
    await page.close()
    other.close()
  }
})
