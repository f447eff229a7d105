/**
 * How much memory uploads of large pictures need: the peak of this process while several pictures of 40 megapixels are
 * prepared at once, minus its memory before.
 *
 *   node bench/pictures.ts [--at-once 4] [--form plain]
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { prepareImage } from '#server/features/documents/image.ts'
import { loadSharp } from '#server/features/documents/sharp.ts'

const { values: options } = parseArgs({
  options: { 'at-once': { type: 'string', default: '4' }, form: { type: 'string', default: 'plain' } },
})
const atOnce = Number(options['at-once'])
const [width, height] = [8000, 5000]

const megabytes = (kind: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${kind}:\\s+(\\d+) kB`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024

/** `plain`, `progressive` or `turned`. */
async function makePicture(form: string): Promise<Buffer> {
  const sharp = await loadSharp()
  const picture = sharp(Buffer.alloc(3), { raw: { width: 1, height: 1, channels: 3 } }).resize(width, height)
  const turned = form === 'turned' ? picture.withMetadata({ orientation: 6 }) : picture
  return turned.jpeg({ quality: 60, progressive: form === 'progressive' }).toBuffer()
}

const { form } = options
const upload = await makePicture(form)
const before = megabytes('VmRSS')
const begun = performance.now()
await Promise.all(Array.from({ length: atOnce }, () => prepareImage(Buffer.from(upload))))
console.log(
  `${atOnce} pictures of 40 megapixels (${form}) at once: ${before.toFixed(0)} MB before, ` +
    `${megabytes('VmHWM').toFixed(0)} MB at most, ${((performance.now() - begun) / 1000).toFixed(1)} s`,
)
