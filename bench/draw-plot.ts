/** The rounds at one size, in ms. */
export interface Point {
  rows: number
  min: number
  median: number
  max: number
}
interface Panel {
  title: string
  console: Point[]
  bare: Point[]
}

const width = 250
const height = 190
const plot = { left: 44, right: 14, top: 34, bottom: 30 }
const shorten = (rows: number) => (rows >= 1e6 ? `${rows / 1e6}M` : `${rows / 1e3}k`)

/** The next of 1, 2, 5, 10, 20, 50 … that is not less. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value
}

function drawPanel({ title, console: ours, bare }: Panel, left: number): string {
  const sizes = ours.map(({ rows }) => Math.log10(rows))
  const most = roundUp(Math.max(...[...ours, ...bare].map(({ max }) => max)))
  const span = Math.max(1e-9, sizes.at(-1)! - sizes[0]!)
  const x = (rows: number) => plot.left + ((Math.log10(rows) - sizes[0]!) / span) * (width - plot.left - plot.right)
  const y = (ms: number) => height - plot.bottom - (ms / most) * (height - plot.top - plot.bottom)
  const at = (value: number) => value.toFixed(1)
  const drawLine = (points: Point[], name: string) => `<g class="${name}">
    <polyline points="${points.map(({ rows, median }) => `${at(x(rows))},${at(y(median))}`).join(' ')}"/>
    ${points
      .map(({ rows, min, median, max }) => {
        const across = at(x(rows))
        return `<path d="M${across} ${at(y(min))}V${at(y(max))}"/><circle cx="${across}" cy="${at(y(median))}" r="2.5"/>`
      })
      .join('')}</g>`
  const lines = [0, most / 2, most].map(
    (ms) => `<path class="grid" d="M${plot.left} ${at(y(ms))}H${width - plot.right}"/>
    <text x="${plot.left - 6}" y="${at(y(ms) + 4)}" text-anchor="end">${ms}</text>`,
  )
  const below = ours.map(
    ({ rows }) =>
      `<text x="${at(x(rows))}" y="${height - plot.bottom + 16}" text-anchor="middle">${shorten(rows)}</text>`,
  )
  return `<g transform="translate(${left} 0)"><text class="title" x="${plot.left}" y="18">${title}</text>
    ${[...lines, ...below].join('\n')}${drawLine(bare, 'bare')}${drawLine(ours, 'console')}</g>`
}

/** An SVG with one panel for each list: milliseconds over rows, with the shortest and the longest round of each size. */
export function drawPlot(panels: Panel[], caption: string): string {
  const all = width * panels.length
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${all} ${height + 26}" width="${all}" height="${height + 26}" role="img">
<title>${caption}</title>
<style>
  text { font: 11px system-ui, sans-serif; fill: #57606a; font-variant-numeric: tabular-nums }
  .title { font-size: 13px; font-weight: 600; fill: #1f2328 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .console polyline, .console path { stroke: #0a7d55 } .console circle { fill: #0a7d55 }
  .bare polyline, .bare path { stroke: #8c959f } .bare circle { fill: #8c959f }
  polyline { fill: none; stroke-width: 2 } .bare polyline { stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 } .title { fill: #f0f6fc } .grid { stroke: #3d444d }
    .console polyline, .console path { stroke: #3fb68b } .console circle { fill: #3fb68b }
  }
</style>
${panels.map((panel, index) => drawPanel(panel, index * width)).join('\n')}
<text x="${plot.left}" y="${height + 14}">${caption}</text>
</svg>
`
}
