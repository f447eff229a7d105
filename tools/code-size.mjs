import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './process.mjs'

/**
 * What `src` without its tests may grow to, the newest first. Who raises a limit adds a line that says what the team gets for it;
 * who makes the code smaller lowers it.
 */
const limits = [
  {
    date: '2026-11-28',
    lines: 115_300,
    files: 1_300,
    why: 'one kit and one parser where there were many, and no demo in src',
  },
  { date: '2026-11-28', lines: 124_300, files: 1_589, why: 'as counted before anything was released' },
]

const isSource = (name) => /\.(?:ts|tsx|css)$/.test(name) && !/\.test\.tsx?$/.test(name)

function countSources() {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(isSource)
  const lines = names.reduce((sum, name) => sum + readFileSync(join('src', name), 'utf8').split('\n').length - 1, 0)
  return { lines, files: names.length }
}

const format = ({ lines, files }) => `${lines.toLocaleString('en')} lines in ${files.toLocaleString('en')} files`

/** Says how large the code is beside its limit and the limit before that, and fails above it. */
export async function checkCodeSize() {
  const [limit, before] = limits
  const now = countSources()
  const isOver = now.lines > limit.lines || now.files > limit.files
  say(
    `src has ${format(now)}, of at most ${format(limit)} since ${limit.date} (${limit.why})` +
      (before ? `; ${format(before)} before` : ''),
  )
  if (isOver) say('make it smaller, or raise the limit in tools/code-size.mjs with a reason')
  return isOver ? 1 : 0
}
