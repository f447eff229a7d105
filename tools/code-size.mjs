import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './process.mjs'

/** How many lines of `src` without its tests may be wider than `.editorconfig` says. Lower it when you break some. */
const widest = { columns: 120, lines: 1_058 }

/**
 * What `src` without its tests may grow to, the newest first. Who raises a limit adds a line that says what the team gets for it;
 * who makes the code smaller lowers it.
 */
const limits = [
  {
    date: '2026-11-29',
    lines: 119_800,
    files: 1_330,
    why: 'deletions of files that end late, retention by indexes, texts searched before a member is locked, the log archived while a base is copied',
  },
  {
    date: '2026-11-29',
    lines: 119_460,
    files: 1_329,
    why: 'templates of reasons, the portrait beside the selfie, the head of a member, work on large tables in batches, reads from a standby, copies of the audit log by the clock',
  },
  {
    date: '2026-11-29',
    lines: 117_950,
    files: 1_314,
    why: 'bank lines and messages in Peek, views of colleagues in the activity, messages and saved views found by the search',
  },
  {
    date: '2026-11-29',
    lines: 117_850,
    files: 1_312,
    why: 'mentions at the bell, notes on bank lines, differences marked in review, a search that acts, low rows of every list on phones',
  },
  {
    date: '2026-11-28',
    lines: 117_250,
    files: 1_312,
    why: 'heads that leave the room to rows, low rows on phones, saved views as tabs, holdings in the profile, states as chips',
  },
  {
    date: '2026-11-28',
    lines: 117_000,
    files: 1_310,
    why: 'lists that are worked: one menu of filters with exact counts and sums, columns, more bulk actions, counts of what waits',
  },
  {
    date: '2026-11-28',
    lines: 114_900,
    files: 1_290,
    why: 'one kit and one parser where there were many, and no demo in src',
  },
  { date: '2026-11-28', lines: 124_300, files: 1_589, why: 'as counted before anything was released' },
]

const isSource = (name) => /\.(?:ts|tsx|css)$/.test(name) && !/\.test\.tsx?$/.test(name)

function countSources() {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(isSource)
  const texts = names.map((name) => readFileSync(join('src', name), 'utf8').split('\n'))
  const lines = texts.reduce((sum, text) => sum + text.length - 1, 0)
  return { lines, files: names.length, wide: texts.flat().filter(({ length }) => length > widest.columns).length }
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
  say(
    `${now.wide.toLocaleString('en')} of them are wider than ${widest.columns}, of at most ${widest.lines.toLocaleString('en')}`,
  )
  if (now.wide > widest.lines) say('break or shorten what is new of them')
  if (isOver) say('make it smaller, or raise the limit in tools/code-size.mjs with a reason')
  return isOver || now.wide > widest.lines ? 1 : 0
}
