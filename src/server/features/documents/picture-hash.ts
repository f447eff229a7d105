import { loadSharp } from './sharp.ts'

/** The picture is judged in grey at this many pixels a side, whatever its size. */
const side = 32
/** Each of them is the mean of a square of so many pixels a side: a filter would leave traces of the picture's size. */
const square = 8
/** So many frequencies in each direction: 256 bits. The lowest 8 by 8 come first, since an index finds by those. */
const frequencies = 16
const lowFrequencies = 8

const waves = Array.from({ length: frequencies }, (_, frequency) =>
  Array.from({ length: side }, (__, at) => Math.cos(((2 * at + 1) * frequency * Math.PI) / (2 * side))),
)

const isLow = ([row, column]: readonly [number, number]) => row < lowFrequencies && column < lowFrequencies
const places = Array.from(
  { length: frequencies ** 2 },
  (_, at) => [Math.floor(at / frequencies), at % frequencies] as const,
)
/** The order of the bits. */
const order = [...places.filter(isLow), ...places.filter((place) => !isLow(place))]

/** The strength of each frequency (DCT-II): rows first, then columns. */
function transform(pixels: readonly number[]): (row: number, column: number) => number {
  const rows = Array.from({ length: side }, (_, y) =>
    waves.map((wave) => wave.reduce((sum, factor, x) => sum + factor * pixels[y * side + x]!, 0)),
  )
  return (row, column) => waves[row]!.reduce((sum, factor, y) => sum + factor * rows[y]![column]!, 0)
}

async function readPixels(bytes: Buffer): Promise<number[]> {
  const sharp = await loadSharp()
  const wide = side * square
  const fine = await sharp(bytes).greyscale().resize(wide, wide, { fit: 'fill' }).raw().toBuffer()
  const sums = Array.from({ length: side ** 2 }, () => 0)
  for (const [at, pixel] of fine.entries())
    sums[Math.floor(at / wide / square) * side + Math.floor((at % wide) / square)]! += pixel
  return sums.map((sum) => sum / square ** 2)
}

/** Of 255. What differs less shows nothing that could be compared. */
const leastContrast = 12

const measureContrast = (pixels: readonly number[]) => Math.max(...pixels) - Math.min(...pixels)

/**
 * A perceptual hash of a stored picture, 256 bits as text of 0 and 1: the same picture in another size or compression differs in few of
 * them. The mean brightness counts for nothing. Null for a picture of one colour. Throws where the bytes are no picture.
 */
export async function hashPicture(bytes: Buffer): Promise<string | null> {
  const pixels = await readPixels(bytes)
  if (measureContrast(pixels) < leastContrast) return null
  const strengthAt = transform(pixels)
  const strengths = order.map(([row, column]) => (row === 0 && column === 0 ? 0 : strengthAt(row, column)))
  const median = strengths.toSorted((one, other) => one - other)[strengths.length / 2]!
  return strengths.map((strength, at) => (at > 0 && strength > median ? '1' : '0')).join('')
}
