import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { gzipAsync } from '@gfx/zopfli'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstLoads, listFirstFiles } from './tools/first-load.ts'

const root = join(import.meta.dirname, 'src/web')
const outDir = join(import.meta.dirname, 'dist/web')

/** Zopfli takes seconds and saves 3 to 4 %. */
const gzipFirst = (source: Buffer) => gzipAsync(source, { numiterations: 15 })
const gzipLater = (source: Buffer) => promisify(gzip)(source, { level: 9 })

/** Writes `.br` and `.gz` beside every text asset, so that the server only picks one. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle() {
      const names = await readdir(outDir, { recursive: true })
      // index.html is left out: the server writes a fresh nonce into it for every response.
      const first = new Set(Object.values(firstLoads).flatMap(({ sources }) => [...listFirstFiles(outDir, sources)]))
      await Promise.all(
        names
          .filter((name) => /\.(js|css|svg)$/.test(name))
          .map(async (name) => {
            const file = join(outDir, name)
            const source = await readFile(file)
            const [br, gz] = await Promise.all([
              promisify(brotliCompress)(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
              (first.has(name) ? gzipFirst : gzipLater)(source),
            ])
            await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
          }),
      )
    },
  }
}

/**
 * The text face and what the entry imports are asked for with the page, not one after the other: no text moves when the
 * face comes. Written by hand, since Vite's own preloading brings a helper into the entry that is larger than what it saves.
 */
function preloadFirst(): Plugin {
  return {
    name: 'preload-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const face = Object.keys(bundle).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        if (!face) throw new Error('the Inter latin face is not in the bundle')
        const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)
        const imports = entry?.type === 'chunk' ? entry.imports : []
        const font = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${face}` }
        const modules = imports.map((name) => ({ rel: 'modulepreload', crossorigin: '', href: `/${name}` }))
        return [...modules, font].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }))
      },
    },
  }
}

/** What libraries have and the console never uses, by file, and what takes its place. */
const unusedParts: [file: RegExp, code: string][] = [
  // An icon's size, colour and stroke are of the style sheet, and its strokes need no keys, since they never change place.
  [
    /[\\/]lucide-react[\\/].*[\\/]createLucideIcon\.mjs$/,
    `import { createElement, forwardRef } from 'react'
    const look = { 'aria-hidden': true, xmlns: 'http://www.w3.org/2000/svg', width: 24, height: 24,
      viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', strokeWidth: 2, strokeLinecap: 'round',
      strokeLinejoin: 'round' }
    export default ({ node }) => forwardRef((props, ref) => createElement('svg', { ...look, ...props, ref },
      ...node.map(([tag, attributes]) => createElement(tag, attributes))))`,
  ],
  // Lists have pages.
  [
    /[\\/]query-core[\\/].*[\\/]infiniteQueryBehavior\.js$/,
    ['infiniteQueryBehavior', 'hasNextPage', 'hasPreviousPage']
      .map((name) => `export function ${name}() { throw new Error('infinite queries are left out') }`)
      .join('\n'),
  ],
  // No read suspends a screen or throws into it: each screen shows its failure. `suspense` and `throwOnError` do nothing.
  [
    /[\\/]react-query[\\/].*[\\/](suspense|errorBoundaryUtils)\.js$/,
    'defaultThrowOnError ensureSuspenseTimers fetchOptimistic shouldSuspend getHasError useClearResetErrorBoundary'
      .concat(' ensurePreventErrorBoundaryRetry')
      .split(' ')
      .map((name) => `export const ${name} = () => false`)
      .join('\n'),
  ],
  // `console-router.tsx` reads and writes searches.
  [
    /[\\/]router-core[\\/].*[\\/]searchParams\.js$/,
    'export let defaultParseSearch, defaultStringifySearch, parseSearchWith, stringifySearchWith',
  ],
  // Only a server writes it.
  [/[\\/]react-router[\\/].*[\\/]ScriptOnce\.js$/, 'export const ScriptOnce = () => null'],
  // There is one style sheet and `preloadFirst`, so no part has anything to load before it.
  [/vite[\\/]preload-helper/, 'export const __vitePreload = (load) => load()'],
]

function withoutUnusedParts(): Plugin {
  return {
    name: 'without-unused-parts',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: unusedParts.map(([file]) => file) },
      handler: (id) => unusedParts.find(([file]) => file.test(id))?.[1],
    },
    transform: {
      filter: { id: /[\\/]lucide-react[\\/].*[\\/]icons[\\/]/ },
      handler: (code) =>
        code.replaceAll(/,?\s*key: "[a-z\d]+"|,\s*aliases: \[[^\]]*\]|\bname: "[a-z\d-]+",\s*|\bsize: 24,\s*/g, ''),
    },
  }
}

/** Each icon is imported from its own file, so that `findFirstModules` sees which screen has which. */
function iconsFromOwnFiles(): Plugin {
  const folder = join(import.meta.dirname, 'node_modules/lucide-react/dist/esm')
  const files = new Map<string, string>()
  return {
    name: 'icons-from-own-files',
    apply: 'build',
    enforce: 'pre',
    async buildStart() {
      const index = await readFile(join(folder, 'lucide-react.mjs'), 'utf8')
      for (const [, names = '', file = ''] of index.matchAll(/export \{([^}]*)\} from '(.*)'/g))
        for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) files.set(name, join(folder, file))
    },
    transform: {
      filter: { code: /from 'lucide-react'/ },
      handler: (code) =>
        code.replace(/import \{([^}]*)\} from 'lucide-react'/, (_, names: string) =>
          Array.from(names.matchAll(/(type )?(\w+)(?: as (\w+))?/g), ([, isType, name = '', own = name]) =>
            isType ? '' : `import ${own} from ${JSON.stringify(files.get(name))};`,
          ).join(''),
        ),
    },
  }
}

/** What the sources of each first load import statically. Set before the modules are dealt to files. */
const firstModules = { login: new Set<string>(), dashboard: new Set<string>() }

function findFirstModules(): Plugin {
  return {
    name: 'find-first-modules',
    apply: 'build',
    buildEnd() {
      const collect = (found: Set<string>, id: string): Set<string> =>
        found.has(id) ? found : (this.getModuleInfo(id)?.importedIds ?? []).reduce(collect, found.add(id))
      for (const page of ['login', 'dashboard'] as const)
        firstModules[page] = firstLoads[page].sources.map((name) => join(root, name)).reduce(collect, new Set())
    },
  }
}

/** The file that a module of several screens travels in: with the login form, with the dashboard, or with a later screen. */
function nameSharedFile(id: string): string | null {
  // In the package that loads first, but used by later screens alone.
  if (/[\\/]useMutationState\./.test(id)) return null
  if (firstModules.dashboard.has(id)) return firstModules.login.has(id) ? 'kit' : 'console'
  if (firstModules.login.has(id)) return 'forms'
  return /[\\/]lucide-react[\\/]/.test(id) ? 'icons' : null
}

export default defineConfig({
  root,
  plugins: [
    withoutUnusedParts(),
    iconsFromOwnFiles(),
    react(),
    tailwindcss(),
    findFirstModules(),
    preloadFirst(),
    precompress(),
  ],
  resolve: {
    // React has had the hook since 18: the part that stands in for it in older versions is left out.
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  build: {
    outDir,
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    // The Content-Security-Policy allows no data: source and no inline script.
    assetsInlineLimit: 0,
    modulePreload: false,
    // There is one style sheet, which the page loads: no part has to name it again.
    cssCodeSplit: false,
    rolldownOptions: {
      // Reading a property does nothing but read: without this a spread keeps what it spreads.
      treeshake: { propertyReadSideEffects: false },
      output: {
        // The names of later parts stand in those that load first.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            // What changes seldom stays in the browser's cache over our own releases.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 1 },
            {
              name: 'router',
              test: /node_modules[\\/](@tanstack[\\/](react-router|router-core|history|store|react-store)|use-sync-external-store)[\\/]/,
            },
            // All but mutations, which only some screens make.
            {
              name: 'query',
              test: /node_modules[\\/]@tanstack[\\/](react-query|query-core)[\\/](?!.*(useMutation|mutationObserver))/,
            },
            // Small parts that screens share travel as one file.
            { name: nameSharedFile, debugName: 'shared', minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:3000' } },
})
