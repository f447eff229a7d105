import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { gzipAsync } from '@gfx/zopfli'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstLoads, listFirstFiles } from './tools/first-load.ts'

const outDir = join(import.meta.dirname, 'dist/web')

/** Zopfli takes seconds and saves 3 to 4 %. */
const gzipFirst = (source: Buffer) => gzipAsync(source, { numiterations: 5 })
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

/** Without keys, which React asks for in lists that change, as an icon's strokes never do, and without names, which only tools read. */
function iconsWithoutKeys(): Plugin {
  return {
    name: 'icons-without-keys',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]lucide-react[\\/].*[\\/]icons[\\/]/ },
      handler: (code) =>
        code.replaceAll(/,?\s*key: "[a-z\d]+"|,\s*aliases: \[[^\]]*\]|\bname: "[a-z\d-]+",\s*|\bsize: 24,\s*/g, ''),
    },
  }
}

/** Icons lose their names (`iconsWithoutKeys`), so the library's part that spells names is left out. */
function withoutIconNames(): Plugin {
  return {
    name: 'without-icon-names',
    apply: 'build',
    load: {
      filter: { id: /[\\/]lucide-react[\\/].*[\\/]toPascalCase\.mjs$/ },
      handler: () => 'export const toPascalCase = (name) => name',
    },
  }
}

/** The console has pages and no endless lists: the query library's part for those is left out. */
function withoutInfiniteQueries(): Plugin {
  return {
    name: 'without-infinite-queries',
    apply: 'build',
    load: {
      filter: { id: /[\\/]query-core[\\/].*[\\/]infiniteQueryBehavior\.js$/ },
      handler: () =>
        ['infiniteQueryBehavior', 'hasNextPage', 'hasPreviousPage']
          .map((name) => `export function ${name}() { throw new Error('infinite queries are left out') }`)
          .join('\n'),
    },
  }
}

/** Icons that several screens show, but neither login nor dashboard. */
const isLaterIcon = (id: string) =>
  /[\\/]lucide-react[\\/].*[\\/]icons[\\/](ban|check|chevron-left|circle|circle-dashed|circle-dot|circle-off|circle-user|copy|external-link|eye|file-check(?:-corner)?|file-x|hourglass|info|key-round|landmark|link-2-off|lock-open|log-out|maximize|pencil|pencil-line|pin|pin-off|rotate-cw|send|shield-x|stamp|sticky-note|triangle-exclamation-point|undo-2|upload|user-plus|user-x|wallet|x|zoom-in|zoom-out)\.mjs/.test(
    id,
  )

/** Small parts that screens share; not those that lean on Radix or the router, nor those that neither login nor dashboard use. */
const isSharedPart = (id: string) =>
  (/[\\/]node_modules[\\/](clsx|lucide-react)[\\/]/.test(id) && !isLaterIcon(id)) ||
  /[\\/]src[\\/](web[\\/]lib|web[\\/]ui)[\\/](?!detail-lines|file-size|dialog|form-dialog|keys-dialog|draw-code|password-input|qr-code|toaster|tabs|facts|search-input|hash|copy-button|escape|field|text-field|select-field|checkbox|note|section|truncated-text|refresh-button|length|words|key-hint|change-button|clock|offline|save-file|use-unsaved|use-prefetch|type-ahead-buffer|newest|middle-truncated|time-left|token-amount|use-popover|single-press|use-shortcuts|use-activity-heartbeat|account-number)/.test(
    id,
  ) ||
  /[\\/]src[\\/]contract[\\/](account|auth|bidi|live|permissions|route|members|states|transactions|visible)\.ts/.test(
    id,
  ) ||
  /[\\/]src[\\/]web[\\/](api|use-can|permission-gate|screen-permissions|members[\\/]transactions|changes[\\/]open-approval|app[\\/](account|session|query-client|tabs|theme))\.tsx?/.test(
    id,
  )

export default defineConfig({
  root: join(import.meta.dirname, 'src/web'),
  plugins: [
    iconsWithoutKeys(),
    withoutIconNames(),
    withoutInfiniteQueries(),
    react(),
    tailwindcss(),
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
            { name: 'icons', test: isLaterIcon, minShareCount: 2, includeDependenciesRecursively: false },
            { name: 'kit', test: isSharedPart, minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:3000' } },
})
