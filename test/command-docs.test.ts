import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCommand } from '#server/cli/admin-commands.ts'

const root = join(import.meta.dirname, '..')
const readText = (path: string) => readFileSync(join(root, path), 'utf8')
const listFiles = (folder: string, ending: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name))

const documents = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  ...listFiles('docs', /\.md$/),
  ...listFiles('examples/platform', /^README\.md$/),
]
const tasks = Object.keys((JSON.parse(readText('package.json')) as { scripts: Record<string, string> }).scripts)

/** Stand for what a reader puts in. */
const placeholders: Record<string, string> = {
  'its address': '203.0.113.7',
  url: 'https://crm.example.com/events',
  id: '1',
  days: '90',
  instant: '2026-11-24T10:30:00Z',
}
const fill = (command: string) =>
  command.replaceAll(/<([a-z ]+)>/g, (_whole, name: string) => placeholders[name] ?? name.replaceAll(' ', '-'))

/** The words after `npm run admin --`, in text or in a block, without a comment behind them. */
const listCommands = (text: string) =>
  [...text.replaceAll(/ \\\n\s*/g, ' ').matchAll(/npm run admin -- ([^`'\n]+)/g)].map(([, command]) =>
    fill(command!.replace(/\s+#.*$/, '').trim()),
  )

/** What is written without `npm run admin --` beside one that has it, such as `enable <username>`. */
const groups = 'access|key|keys|endpoint|events|audit|hold|retention|db|alarms'
const alone =
  'disable|enable|end-session|create|set-password|reset-factors|sign-in-link|break-glass|unlink-provider|erase'
const listShortCommands = (text: string) =>
  [...text.matchAll(new RegExp(`\`((?:(?:${groups}) [a-z]|(?:${alone}) [<-])[^\`\n]*)\``, 'g'))].map(([, command]) =>
    fill(command!),
  )

test.each(documents)('%s names commands that exist with their options', (path) => {
  const text = readText(path)
  const isForOperators = /operating|security\.md/.test(path)
  for (const command of [...listCommands(text), ...(isForOperators ? listShortCommands(text) : [])])
    expect(() => readCommand(command.split(/\s+/)), command).not.toThrow()
})

test('the commands that operators read of are found', () => {
  const text = readText('docs/operating.md')
  expect(listCommands(text).length).toBeGreaterThan(40)
  expect(listShortCommands(text)).toEqual(
    expect.arrayContaining(['enable username', 'create username --role viewer', 'keys drop documents']),
  )
})

test.each(documents)('%s names tasks of npm that exist', (path) => {
  const named = [...readText(path).matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name]) => name!)
  expect(named.filter((name) => !tasks.includes(name))).toEqual([])
})

/** Chapters that lead an operator from screen to screen. */
const chapters = ['### Two operators in ten minutes', '## When something was stolen'].map((title) => {
  const text = readText('docs/operating.md')
  const begin = text.indexOf(`\n${title}\n`)
  expect(begin, title).toBeGreaterThan(0)
  const depth = title.indexOf(' ')
  const rest = text.slice(begin + title.length + 2)
  const end = new RegExp(`\n#{2,${depth}} `).exec(rest)
  return [title, rest.slice(0, end?.index)] as const
})
const sources = ['src/web', 'src/contract', 'src/server']
  .flatMap((folder) => listFiles(folder, /(?<!\.test)\.tsx?$/))
  .map(readText)
  .join('\n')
const isLabel = (label: string) =>
  new RegExp(`(['"]|>\\s*)${label.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(['"]|\\s*<)`).test(sources)

test.each(chapters)('%s: labels are those of the screens', (_title, text) => {
  // Bold words that begin a step or a paragraph say what it is about.
  const bold = [...text.matchAll(/(^\s*(?:\d+\. )?)?\*\*([^*]+)\*\*/gm)]
  const labels = bold.filter(([, lead]) => lead === undefined).map(([, , label]) => label!)
  expect(labels.length).toBeGreaterThan(10)
  expect(labels.filter((label) => !isLabel(label))).toEqual([])
})

test.each(chapters)('%s: what is quoted is what the console says', (_title, text) => {
  const quoted = [...text.matchAll(/“([^”]+)”/g)].map(([, words]) => words!)
  expect(quoted.length).toBeGreaterThan(2)
  // An event is shown by its name, as words.
  const toName = (words: string) => `'${words.toLowerCase().replaceAll(' ', '_')}'`
  expect(quoted.filter((words) => !sources.includes(words) && !sources.includes(toName(words)))).toEqual([])
})

test.each(chapters)('%s: events are named as they are written', (_title, text) => {
  const named = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name!)
  expect(named.length).toBeGreaterThan(1)
  expect(named.filter((name) => !new RegExp(`['"]${name}['"]`).test(sources))).toEqual([])
})
