import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const width = 480
const height = 300
const dot = 10
const word = [
  '#### #### #### #### ### #   # #### #  #',
  '#    #  # #    #     #  ## ## #    ## #',
  '#### #### ###  #     #  # # # ###  # ##',
  '   # #    #    #     #  #   # #    #  #',
  '#### #    #### #### ### #   # #### #  #',
]
const isInk = (x: number, y: number) => word[Math.floor((y - 125) / dot)]?.[Math.floor((x - 45) / dot)] === '#'

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
}

/** A PNG that says SPECIMEN, in its own colour for each `what`. Replaces a photo of a real document. */
export function drawSpecimen(what: string): Buffer {
  const paper = [...createHash('sha256').update(what).digest().subarray(0, 3)].map((byte) => 160 + (byte % 90))
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (_, x) => (isInk(x, y) ? [70, 70, 80] : paper)).flat(),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
