import { AppError, invalidField } from '#server/lib/errors.ts'
import { createLimiter } from '#server/lib/concurrency-limit.ts'
import { sha256 } from '#server/lib/hash.ts'
import { hashPicture } from './picture-hash.ts'
import { loadSharp, type MakeSharp } from './sharp.ts'

export const maxUploadBytes = 10 * 1024 * 1024
const maxPixels = 40_000_000
/** The largest side of a JPEG in libjpeg. */
const maxSide = 65_500
const quality = 88

// Decoding takes memory and a core, and each waiting picture keeps its bytes. So only few run at a time.
const limitPictures = createLimiter(2, 16, 'Too many pictures at once; try again in a moment')

/** A picture with this many pixels may need about 10 bytes for each, as a progressive JPEG does. */
export const largePixels = 12_000_000
const limitLargePictures = createLimiter(1, 16, 'Too many pictures at once; try again in a moment')

/** A picture in the stored form: upright JPEG without metadata. */
export interface PreparedImage {
  uploadHash: Buffer
  storedHash: Buffer
  /** Tells whether another picture looks the same (`hashPicture`). */
  pictureHash: string | null
  bytes: Buffer
  width: number
  height: number
}

const startsWith = (bytes: Buffer, at: number, ...start: number[]) => start.every((byte, n) => bytes[at + n] === byte)

/** Checks the bytes, whatever the name or header says. */
function isPicture(bytes: Buffer): boolean {
  const isJpeg = startsWith(bytes, 0, 0xff, 0xd8, 0xff)
  const isPng = startsWith(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isJpeg || isPng || isWebp
}

/**
 * Checks the bytes of an uploaded picture and encodes it again, so that only pixels are stored (product 6.4). Throws
 * 413 for more than 10 MB, 40 megapixels or 65,500 pixels a side (read from the header before decoding), 415 for
 * anything but JPEG, PNG and WebP, 400 for a damaged picture, and 503 overloaded.
 */
export async function prepareImage(upload: Buffer): Promise<PreparedImage> {
  if (upload.length > maxUploadBytes) throw new AppError('too_large', 'The picture has more than 10 MB')
  if (!isPicture(upload)) throw new AppError('unsupported_media_type', 'The picture must be a JPEG, PNG or WebP image')
  return limitPictures(() => encodeAnew(upload))
}

async function encodeAnew(upload: Buffer): Promise<PreparedImage> {
  const sharp = await loadSharp()
  const header = await sharp(upload, { limitInputPixels: false }).metadata().catch(refuseUnreadable)
  if ((header.pages ?? 1) > 1) throw invalidField('body', 'the picture must not be animated')
  if (header.width * header.height > maxPixels)
    throw new AppError('too_large', 'The picture has more than 40 megapixels')
  if (Math.max(header.width, header.height) > maxSide)
    throw new AppError('too_large', 'The picture has a side longer than 65,500 pixels')
  const isLarge = header.width * header.height > largePixels
  return isLarge ? limitLargePictures(() => encode(sharp, upload)) : encode(sharp, upload)
}

async function encode(sharp: MakeSharp, upload: Buffer): Promise<PreparedImage> {
  const { data, info } = await sharp(upload, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality })
    .timeout({ seconds: 20 })
    .toBuffer({ resolveWithObject: true })
    .catch(refuseUnreadable)
  const { width, height } = info
  const pictureHash = await hashPicture(data)
  return { uploadHash: sha256(upload), storedHash: sha256(data), pictureHash, bytes: data, width, height }
}

/** Blames the bytes, unless this machine took too long to read them. */
function refuseUnreadable(error: unknown): never {
  const isTooSlow = error instanceof Error && error.message.includes('timeout:')
  const refusal = isTooSlow
    ? new AppError('overloaded', 'The picture took too long to read; try again in a moment', { retryAfter: 30 })
    : invalidField('body', "the picture is damaged or can't be read")
  refusal.cause = error
  throw refusal
}
