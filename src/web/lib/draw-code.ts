import { encodeQR } from 'qr'

/** The light modules around a code without which it may not be found (ISO/IEC 18004). */
const quietZone = 4

/** A QR code as one path in a square of `size` modules, with its quiet zone. Error correction as in EPC069-12. */
export function drawCode(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: quietZone })
  const path = rows.flatMap((row, y) => findRuns(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`)).join('')
  return { size: rows.length, path }
}

/** Where dark modules stand side by side: from which, and how many. */
function findRuns(row: boolean[]): [start: number, width: number][] {
  const runs: [number, number][] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (isDark && last && last[0] + last[1] === x) last[1]++
    else if (isDark) runs.push([x, 1])
  }
  return runs
}
