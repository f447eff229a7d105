import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startServer } from '#test/support/server.ts'
import { prepareImage } from './image.ts'
import { pictureOf, storeDocument } from './store.ts'

const server = await startServer()
const ctx = server.system
await server.sql(`INSERT INTO members (id, email) VALUES ('m-1', 'a@example.com'), ('m-2', 'b@example.com')`)

const picture = (width = 40, height = 30) => sharp({ create: { width, height, channels: 4, background: '#c0202080' } })
const store = (bytes: Buffer, memberId = 'm-1') => storeDocument(ctx, memberId, 'front', bytes)
const documentRow = async (key: string) => (await server.sql('SELECT * FROM documents WHERE key = $1', [key]))[0]!

async function read(key: string) {
  return (await server.services.documents.read(pictureOf((await documentRow(key)).stored_hash)))!
}

function chunk(type: string, data: Buffer) {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  const body = Buffer.concat([Buffer.from(type), data])
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const frame = (background: string) =>
  sharp({ create: { width: 9, height: 9, channels: 3, background } })
    .png()
    .toBuffer()

/** A PNG that says it is this large and then holds next to nothing. */
function hugePng(width: number, height: number) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(1000))), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([magic, ...parts])
}
test('JPEG, PNG and WebP are kept as JPEG without metadata, upright and opaque (product 6.4)', async () => {
  const turned = await picture().jpeg().withMetadata({ orientation: 6 }).toBuffer()
  for (const bytes of [turned, await picture(41).png().toBuffer(), await picture(42).webp().toBuffer()]) {
    const { documentPath, created } = await store(bytes)
    expect([created, documentPath]).toEqual([true, expect.stringMatching(/^doc_[A-Za-z0-9_-]{22}$/)])
    const kept = await sharp(await read(documentPath)).metadata()
    expect(kept).toMatchObject({ format: 'jpeg', hasAlpha: false })
    expect([kept.exif, kept.icc, kept.orientation]).toEqual([undefined, undefined, undefined])
    if (bytes === turned) expect([kept.width, kept.height]).toEqual([30, 40])
  }
})

test("a document's key depends on its bytes, member and kind alone (product 6.4)", async () => {
  const bytes = await picture(50).png().toBuffer()
  const kept = await Promise.all(Array.from({ length: 8 }, () => store(bytes)))
  expect(new Set(kept.map(({ documentPath }) => documentPath)).size).toBe(1)
  expect(kept.filter(({ created }) => created)).toHaveLength(1)
  const others = await Promise.all([
    store(await picture(51).png().toBuffer()),
    store(bytes, 'm-2'),
    storeDocument(ctx, 'm-1', 'back', bytes),
  ])
  expect(new Set([kept[0]!, ...others].map(({ documentPath }) => documentPath)).size).toBe(4)
})

test('bytes that are no picture are 415, whatever they are called', async () => {
  for (const text of [
    '<html><script>alert(1)</script>',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<?php echo 1;',
    'GIF89a',
    '',
  ])
    await expect(store(Buffer.from(text))).rejects.toMatchObject({ code: 'unsupported_media_type', status: 415 })
})

test('more than 10 MB or 40 megapixels is 413, told without decoding', async () => {
  await expect(store(Buffer.alloc(10 * 1024 * 1024 + 1, 0xff))).rejects.toMatchObject({ status: 413 })
  await expect(store(hugePng(50_000, 50_000))).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('40 megapixels'),
  })
})

test('a picture with a side longer than a JPEG can hold is 413', async () => {
  for (const [width, height] of [
    [65_501, 1],
    [1, 70_000],
  ] as const)
    await expect(store(await picture(width, height).png().toBuffer())).rejects.toMatchObject({
      code: 'too_large',
      message: 'The picture has a side longer than 65,500 pixels',
    })
  expect(await store(await picture(65_500, 1).png().toBuffer())).toMatchObject({ created: true })
})

test('pictures beyond the queue are 503 at once, and the others are kept', async () => {
  const uploads = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      picture(70 + n)
        .png()
        .toBuffer(),
    ),
  )
  const settled = await Promise.allSettled(uploads.map((upload) => prepareImage(upload)))
  const refused = settled.filter((one) => one.status === 'rejected')
  expect(settled.length - refused.length).toBe(18)
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'overloaded', status: 503, retryAfter: 2 })
})

test('of several large pictures one at a time is decoded, so that memory holds one', async () => {
  const large = await picture(4200, 3000).png().toBuffer()
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, sharp.counters().process)), 1)
  await Promise.all([large, large, large].map((upload) => prepareImage(upload)))
  clearInterval(timer)
  expect(most).toBe(1)
})

test('a damaged or animated picture is 400, never a fault of the server', async () => {
  const whole = await picture(400, 300).jpeg().toBuffer()
  const noise = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(500, 7)])
  const frames = await sharp([await frame('red'), await frame('blue')], { join: { animated: true } })
    .webp()
    .toBuffer()
  for (const bytes of [whole.subarray(0, 400), noise, hugePng(2000, 2000), frames])
    await expect(store(bytes)).rejects.toMatchObject({ code: 'invalid', status: 400 })
})

test('a picture of nobody is 404 and leaves nothing behind', async () => {
  await expect(store(await picture(60).png().toBuffer(), 'm-nobody')).rejects.toMatchObject({ status: 404 })
})
