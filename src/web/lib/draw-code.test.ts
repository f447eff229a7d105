import { decodeQR } from 'qr/decode.js'
import { expect, test } from 'vitest'
import { drawCode } from './draw-code.ts'

const pixelsPerModule = 8

/** Paints the path as a browser does, and reads it as a scanner does. */
function scan({ size, path }: ReturnType<typeof drawCode>) {
  const side = size * pixelsPerModule
  const data = new Uint8Array(side * side * 4).fill(255)
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    const [left, top] = [Number(x) * pixelsPerModule, Number(y) * pixelsPerModule]
    for (let row = top; row < top + pixelsPerModule; row++)
      for (let column = left; column < left + Number(width) * pixelsPerModule; column++)
        data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3)
  }
  return decodeQR({ width: side, height: side, data }, { timeLimit: 10_000 })
}

const payload = (name: string) =>
  `BCD\n002\n1\nSCT\nCOBADEFFXXX\n${name}\nDE89370400440532013000\nEUR7500.50\n\nRF91ORD010240`

test.each([
  ['a short name', payload('Solar Park Ltd')],
  ['a name of another script', payload('Солнечный Парк ООО')],
  ['331 bytes, the most that EPC069-12 allows', payload('').padEnd(331, 'x')],
])('a drawn payment code with %s reads back as its text', (_what, text) => {
  expect(scan(drawCode(text))).toBe(text)
})

test('a payment code has a quiet zone of four modules', () => {
  const { size, path } = drawCode(payload('Solar Park Ltd'))
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(
    (run) => run.slice(1).map(Number) as [number, number, number],
  )
  expect(Math.min(...runs.flatMap(([x, y]) => [x, y]))).toBe(4)
  expect(Math.max(...runs.flatMap(([x, y, width]) => [x + width, y + 1]))).toBe(size - 4)
})
