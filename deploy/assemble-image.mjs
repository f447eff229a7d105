// Puts together the file system of the console's image: Node, the libraries it is linked with, the server, its pages, and the
// packages that run. No shell, no package manager, no embedded database and no demo. Linux with glibc only.
//
//   node deploy/assemble-image.mjs <empty folder>
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join } from 'node:path'

const most = 220 * 1e6
const target = process.argv[2]
if (!target || (existsSync(target) && readdirSync(target).length > 0))
  throw new Error('Usage: node deploy/assemble-image.mjs <empty folder>')
const project = join(import.meta.dirname, '..')
const app = join(target, 'app')

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const own = readJson(join(project, 'package.json'))

/** The folder of a package as one in `from` finds it. Undefined if it is not installed. */
function findPackage(name, from) {
  for (let folder = from; folder.startsWith(project); folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
  }
  return undefined
}

/** The dependencies that a file of the server imports. The others are built into the pages. */
function listImported() {
  const sources = ['src/contract', 'src/server']
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: project }))
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(project, file), 'utf8'))
  const isImported = (name) => sources.some((text) => new RegExp(`['"]${name}(/[^'"]*)?['"]`).test(text))
  return Object.keys(own.dependencies).filter(isImported)
}

/** Every package that the server loads, without the optional ones of the project itself. */
function listPackages() {
  const found = new Set()
  const waiting = listImported().map((name) => ({ name, from: project, isOptional: false }))
  for (const { name, from, isOptional } of waiting) {
    const folder = findPackage(name, from)
    if (!folder && !isOptional) throw new Error(`${name} is not installed: run npm ci`)
    if (!folder || found.has(folder)) continue
    found.add(folder)
    const { dependencies = {}, optionalDependencies = {} } = readJson(join(folder, 'package.json'))
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies }))
      waiting.push({ name: each, from: folder, isOptional: each in optionalDependencies })
  }
  return [...found]
}

// What a package brings for compilers, debuggers and readers.
const unusedEndings = new Set(['.map', '.md', '.ts', '.mts', '.cts', '.flow', '.markdown'])
const unusedFolders = new Set([
  '_types',
  'test',
  'tests',
  '__tests__',
  'benchmark',
  'benchmarks',
  'examples',
  'docs',
  '.github',
])
const isNeeded = (folder) => (file) => {
  if (file === folder) return true
  const rest = file.slice(folder.length + 1).split('/')
  // Packages inside one are listed themselves.
  if (rest[0] === 'node_modules' || rest.some((part) => unusedFolders.has(part))) return false
  return !unusedEndings.has(extname(file))
}

function copyApp() {
  cpSync(join(project, 'package.json'), join(app, 'package.json'))
  for (const folder of ['drizzle', 'dist/web']) cpSync(join(project, folder), join(app, folder), { recursive: true })
  for (const folder of ['src/contract', 'src/server'])
    cpSync(join(project, folder), join(app, folder), { recursive: true, filter: (file) => !file.endsWith('.test.ts') })
  for (const folder of listPackages())
    cpSync(folder, join(app, folder.slice(project.length + 1)), { recursive: true, filter: isNeeded(folder) })
}

/** The shared libraries that a program needs, as paths of this machine. */
const listLibraries = (file) =>
  [...execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path)

function copyNode() {
  mkdirSync(join(target, 'bin'), { recursive: true })
  cpSync(process.execPath, join(target, 'bin/node'))
  const programs = [
    process.execPath,
    ...globSync('node_modules/**/*.node', { cwd: app }).map((file) => join(app, file)),
  ]
  for (const library of new Set(programs.flatMap(listLibraries))) {
    if (library.startsWith(app)) continue
    mkdirSync(join(target, dirname(library)), { recursive: true })
    cpSync(realpathSync(library), join(target, library))
  }
}

/** What resolving names and accounts takes. */
function writeSystemFiles() {
  for (const folder of ['etc', 'tmp', 'data']) mkdirSync(join(target, folder), { recursive: true })
  writeFileSync(join(target, 'etc/passwd'), 'console:x:10001:10001::/data:/sbin/nologin\n')
  writeFileSync(join(target, 'etc/group'), 'console:x:10001:\n')
  writeFileSync(join(target, 'etc/nsswitch.conf'), 'hosts: files dns\n')
  chmodSync(join(target, 'tmp'), 0o1777)
}

/** Bytes. */
const sizeOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

if (!existsSync(join(project, 'dist/web'))) throw new Error('The pages are not built: run npm run build')
copyApp()
copyNode()
writeSystemFiles()
const size = sizeOf(target)
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`
console.log(
  `${megabytes(size)}: packages ${megabytes(sizeOf(join(app, 'node_modules')))}, Node ${megabytes(statSync(process.execPath).size)}`,
)
if (size > most) throw new Error(`The image is larger than ${megabytes(most)}`)
