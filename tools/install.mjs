import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, run } from './process.mjs'
import { stage } from './stage.mjs'

const nodeMajor = 24
const omitTools = '--omit=dev'
/** npm's record of what it has installed, written last. */
const installedIn = (folder) => join(folder, 'node_modules/.package-lock.json')

/**
 * Installs the dependencies unless they match the lock file: all of them, or with `runs` those alone by which the console is
 * built and runs. Returns the Node that runs the project.
 */
export async function prepare({ runs = false } = {}) {
  const node = isNodeNew() ? '' : `, with Node ${nodeMajor} for this project alone`
  await install('install', '.', `installing the dependencies (npm ci)${node}`, runs ? [omitTools] : [])
  return projectNode()
}

/** Installs the tools that read the description of the API in tests. Runs no install scripts. */
export const installApiClients = () =>
  install('install-api-clients', 'test/api-clients', 'installing the API clients of the tests (npm ci)', [
    '--ignore-scripts',
  ])

/** Installs the older PostgreSQL that the tests run on too, in a version of each. */
export const installOlderPostgres = () =>
  install('install-older-postgres', 'test/older-postgres', 'installing older PostgreSQL for the tests (npm ci)', [
    '--ignore-scripts',
  ])

const install = (name, folder, label, options = []) =>
  stage(
    name,
    label,
    () => isInstalled(folder, options),
    async () => {
      // What a console that is running may still load stays: only the tools for developers are added.
      const isAdded = isInstalled(folder, [...options, omitTools])
      if (!isAdded) rmSync(installedIn(folder), { force: true })
      const code = await npm(isAdded ? ['install', '--no-save', ...options] : ['ci', ...options], folder)
      if (code === 0 && options.includes(omitTools)) removeUnused()
      if (code !== 0)
        throw new Failure('npm ci failed: see the lines above; the network or the disk is the usual reason.')
      if (!isInstalled(folder, options))
        throw new Failure('npm ci ended well, but packages are missing: package-lock.json does not fit this system.')
    },
  )

/** Runs npm quietly. Logs must not contain the address of the registry. */
export function npm(args, cwd) {
  const options = { cwd, clean: (text) => text.replace(/https?:\/\/[^\s/]+/g, '(registry)') }
  const all = [...args, '--no-audit', '--no-fund', '--loglevel=error']
  const script = process.env.npm_execpath
  if (script) return run(process.execPath, [script, ...all], options)
  return run('npm', all, { ...options, shell: process.platform === 'win32' })
}

/** Headers for compilers, and what debuggers read of packages: a third of what runs the console. */
function removeUnused() {
  for (const name of readdirSync('node_modules').filter((each) => /^node-(bin-)?(linux|darwin|win)/.test(each)))
    rmSync(join('node_modules', name, 'include'), { recursive: true, force: true })
  for (const file of readdirSync('node_modules', { recursive: true }))
    if (file.endsWith('.map')) rmSync(join('node_modules', file), { force: true })
}

/** Whether every package of the lock file that this system and these options need is installed in that version. */
function isInstalled(folder, options) {
  if (!existsSync(installedIn(folder))) return false
  const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages
  const present = JSON.parse(readFileSync(installedIn(folder), 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || present[path]?.version === entry.version) return true
    if (entry.dev === true && options.includes(omitTools)) return true
    return entry.optional === true && !isMadeForThisSystem(entry)
  })
}

// npm installs optional packages made for this system. It also chooses the C library.
function isMadeForThisSystem({ os, cpu, libc }) {
  return Boolean(os && cpu && !libc && os.includes(process.platform) && cpu.includes(process.arch))
}

const isNodeNew = () => Number(process.versions.node.split('.')[0]) >= nodeMajor

/** This Node if it is new enough, otherwise the one that npm ci installed. */
function projectNode() {
  if (isNodeNew()) return process.execPath
  const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const name = system === 'darwin-arm64' ? `node-bin-${system}` : `node-${system}`
  const own = join(process.cwd(), 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(own)) return own
  throw new Failure(
    `Node ${nodeMajor} or newer is needed; this is ${process.version}, and none is bundled for ${system}.`,
  )
}
