import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { npm } from './install.mjs'
import { Failure, run } from './process.mjs'
import { stage, stampedStage } from './stage.mjs'

// The headless shell draws nothing that nobody sees, so browser tests take a sixth less time.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
]
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** Finds or installs a Chromium. Returns the environment of browser tests: `CHROMIUM_PATH` and what it needs. */
export async function chromium(node) {
  const given = process.env.CHROMIUM_PATH
  if (given && !existsSync(given)) throw new Failure(`CHROMIUM_PATH names ${given}, which does not exist.`)
  const path = given || findInstalled() || (await fromDebian())
  return path ? { CHROMIUM_PATH: path } : fromNpm(node)
}

function findInstalled() {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere].find(existsSync)
}

/** Whether Debian packages can be installed here. */
function canInstall() {
  const isDebian = existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
  return isDebian && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

const fonts = ['fonts-noto-core', 'fonts-noto-cjk', 'fonts-noto-color-emoji']

const areFontsInstalled = () => existsSync('/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf')

/** Installs fonts for names in every script and for emoji, where possible. Otherwise the system's are used. */
export async function installFonts() {
  if (!canInstall()) return
  await stage('fonts', 'installing fonts for the pictures (apt-get)', areFontsInstalled, async () => {
    const install = () => apt('install', '-y', '--no-install-recommends', ...fonts)
    if ((await install()) !== 0 && (await apt('update')) === 0) await install()
  })
}

/** Debian's package, if it can be installed. Ubuntu's is a snap, which does not run in a container. */
async function fromDebian() {
  if (!canInstall()) return undefined
  await stage(
    'chromium',
    'installing Chromium for the browser tests (apt-get)',
    () => Boolean(findInstalled()),
    async () => {
      // Package lists may be older than the distribution's fixes of its browser, which come often.
      await apt('update')
      await installOne()
    },
  )
  return findInstalled()
}

async function installOne() {
  for (const name of ['chromium-headless-shell', 'chromium'])
    if ((await apt('install', '-y', '--no-install-recommends', name)) === 0) return true
  return false
}

const apt = (...args) =>
  run('/usr/bin/apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    clean: () => '',
  })

/** A Chromium with its own libraries, stored in .cache and no dependency of the project. Linux on x64 only. */
async function fromNpm(node) {
  if (process.platform !== 'linux')
    throw new Failure('no Chrome or Chromium found: install one, or name one in CHROMIUM_PATH.')
  const folder = resolve('.cache/chromium')
  const name = '@sparticuz/chromium@153.0.0'
  await stampedStage(
    'chromium',
    'fetching Chromium for the browser tests (npm)',
    { stamp: join(folder, 'stamp'), inputs: [], extra: name },
    async () => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
      const code = await npm(['install', '--no-save', '--ignore-scripts', name], folder)
      if (code !== 0) throw new Failure('no Chromium could be fetched: install one, or name one in CHROMIUM_PATH.')
    },
  )
  // It unpacks its libraries only in the cloud that it was made for.
  const env = { ...process.env, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x', TMPDIR: folder }
  const script = `const { default: chromium } = await import('@sparticuz/chromium'); console.log(await chromium.executablePath())`
  const { status, stdout, stderr } = spawnSync(node, ['--input-type=module', '-e', script], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Failure(`the fetched Chromium does not unpack: ${stderr.trim()}`)
  const libraries = [join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  return { CHROMIUM_PATH: stdout.trim().split('\n').at(-1), LD_LIBRARY_PATH: libraries }
}
