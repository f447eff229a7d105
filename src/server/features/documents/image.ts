import { createHash } from 'node:crypto'
import type { Sharp, SharpOptions } from 'sharp'
import { AppError, invalidField } from '#server/errors.ts'

const maxUploadBytes = 10 * 1024 * 1024
const maxPixels = 40_000_000
/** Decoding takes memory, so few pictures are in work at a time, whoever sends them. */
const atOnce = 2
const quality = 88

/** A picture as it is kept: JPEG, upright, without metadata. */
export interface PreparedImage {
  uploadHash: Buffer
  storedHash: Buffer
  bytes: Buffer
  width: number
  height: number
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

const startsWith = (bytes: Buffer, at: number, ...start: number[]) => start.every((byte, n) => bytes[at + n] === byte)

/** What the bytes are, whatever name or header came with them. */
function isPicture(bytes: Buffer): boolean {
  const isJpeg = startsWith(bytes, 0, 0xff, 0xd8, 0xff)
  const isPng = startsWith(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isJpeg || isPng || isWebp
}

/**
 * Checks an uploaded picture by its bytes and encodes it anew, so that nothing but pixels is kept (PRODUCT section 4).
 * Throws 413 for more than 10 MB or 40 megapixels (told from the header, before decoding), 415 for anything but
 * JPEG, PNG and WebP, 400 for a picture that can't be decoded.
 */
export async function prepareImage(upload: Buffer): Promise<PreparedImage> {
  if (upload.length > maxUploadBytes) throw new AppError('too_large', 'The picture has more than 10 MB')
  if (!isPicture(upload)) throw new AppError('unsupported_media_type', 'The picture must be a JPEG, PNG or WebP image')
  const sharp = await loadSharp()
  const header = await sharp(upload, { limitInputPixels: false }).metadata().catch(refuseDamaged)
  if ((header.pages ?? 1) > 1) throw invalidField('body', 'the picture must not be animated')
  if (header.width * header.height > maxPixels)
    throw new AppError('too_large', 'The picture has more than 40 megapixels')
  const { data, info } = await whenFree(() =>
    sharp(upload, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true })
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality })
      .timeout({ seconds: 20 })
      .toBuffer({ resolveWithObject: true })
      .catch(refuseDamaged),
  )
  return { uploadHash: sha256(upload), storedHash: sha256(data), bytes: data, width: info.width, height: info.height }
}

function refuseDamaged(error: unknown): never {
  const refusal = invalidField('body', "the picture is damaged or can't be read")
  refusal.cause = error
  throw refusal
}

type MakeSharp = (input: Buffer, options?: SharpOptions) => Sharp
let loading: Promise<MakeSharp> | undefined

/** Loaded at the first picture: libvips would slow down every start. Its cache of operations never hits here. */
export function loadSharp(): Promise<MakeSharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    return sharp
  })
  return loading
}

let busy = 0
const waiting: (() => void)[] = []

async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  if (busy >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else busy++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else busy--
  }
}
