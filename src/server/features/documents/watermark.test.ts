import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeDocument, makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { pictureOf } from './store.ts'
import { describeView, markPicture } from './watermark.ts'

const server = await startServer()
const [width, height] = [900, 600]
const plain = await sharp({ create: { width, height, channels: 3, background: '#8899aa' } })
  .jpeg()
  .toBuffer()
const pixels = async (bytes: Buffer) => sharp(bytes).greyscale().raw().toBuffer()

/** The share of pixels that differ clearly from the plain picture, in each of 3 × 3 parts. */
async function differences(bytes: Buffer) {
  const [one, other] = [await pixels(plain), await pixels(bytes)]
  const parts = Array<number>(9).fill(0)
  for (let at = 0; at < one.length; at++) {
    if (Math.abs(one[at]! - other[at]!) < 12) continue
    const [x, y] = [at % width, Math.floor(at / width)]
    parts[Math.floor((x * 3) / width) + 3 * Math.floor((y * 3) / height)]! += 9 / (width * height)
  }
  return parts
}

async function viewAs(username: string, document: { key: string; memberId: string }) {
  const call = server.as(username)
  const body = { userId: document.memberId, documentPath: document.key }
  const { token } = (await call('POST', '/api/documents/token', body)).json()
  return (await call('GET', `/api/documents/proxy/${token}`)).rawPayload
}

test("what is served has the operator's name and the time over every part of it (product 6.4)", async () => {
  const document = await makeDocument(server, (await makeMember(server)).id, { bytes: plain })
  const served = await viewAs('ada', document)
  const parts = await differences(served)
  for (const share of parts) {
    expect(share).toBeGreaterThan(0.002)
    // The picture can still be read.
    expect(share).toBeLessThan(0.15)
  }
})

test('another operator sees another text, and the stored picture stays as it was', async () => {
  const document = await makeDocument(server, (await makeMember(server)).id, { bytes: plain })
  const [ada, grace] = [await viewAs('ada', document), await viewAs('grace hopper', document)]
  expect(ada.equals(grace)).toBe(false)
  const stored = await server.services.documents.read(pictureOf(document.storedHash))
  expect(stored!.equals(plain)).toBe(true)
})

test.each([
  ['ada', 'ADA'],
  ['Đặng Thị Ánh', 'DANG THI ANH'],
  ['東京', 'DONGJING'],
  ['a<b&"c"', 'A?B??C?'],
  ['x'.repeat(64), `${'X'.repeat(39)}+`],
])('the name %s is written in Latin letters', (name, latin) => {
  expect(describeView(name, new Date('2026-11-23T09:05:31Z'))).toBe(`${latin} · NOV 23 2026 09:05 UTC`)
})

test.each([
  [1, 1],
  [8, 400],
  [400, 8],
  [3000, 2000],
])('a picture of %s × %s keeps its size', async (width, height) => {
  const picture = await sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer()
  const marked = await markPicture(picture, describeView('ada', new Date()))
  expect(await sharp(marked).metadata()).toMatchObject({ width, height, format: 'jpeg' })
})

test('of several large pictures one at a time is marked, so that memory holds one', async () => {
  const large = await sharp({ create: { width: 4200, height: 3000, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer()
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, sharp.counters().process)), 1)
  await Promise.all([1, 2, 3].map(() => markPicture(large, 'ADA')))
  clearInterval(timer)
  expect(most).toBe(1)
})
