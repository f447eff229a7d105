import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const outDir = join(import.meta.dirname, 'dist/web')

/** Writes `.br` and `.gz` beside every text asset, so that the server only picks one. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle() {
      const names = await readdir(outDir, { recursive: true })
      // index.html is left out: the server writes a fresh nonce into it for every response.
      const files = names.filter((name) => /\.(js|css|svg)$/.test(name)).map((name) => join(outDir, name))
      await Promise.all(
        files.map(async (file) => {
          const source = await readFile(file)
          const [br, gz] = await Promise.all([
            promisify(brotliCompress)(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
            promisify(gzip)(source, { level: 9 }),
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

/** Parts of a route that only the server asks; every request and every reply is judged there. */
const judgedByServer = new Set(['params', 'query', 'body', 'reply', 'summary'])

/**
 * In the browser the contract is methods, paths, labels and rules. A route's schemas are left out of the bundle, and
 * with them zod: 11 kB gzip on the way to the first screen. A form that wants a schema imports it by its own name.
 */
function contractWithoutSchemas(): Plugin {
  return {
    name: 'contract-without-schemas',
    enforce: 'post',
    transform: {
      filter: { id: /\/src\/contract\/[^/]+\.ts$/ },
      handler(code) {
        const edits: { start: number; end: number; text: string }[] = []
        const visit = (node: unknown, parent?: Node): void => {
          if (Array.isArray(node)) return node.forEach((each) => visit(each, parent))
          if (!isNode(node)) return
          // Nothing here does more than give a value: what nobody uses can go.
          if (node.type === 'CallExpression')
            edits.push({ start: node.start, end: node.start, text: '/* @__PURE__ */ ' })
          const isRoute = node.type === 'ObjectExpression' && isNode(parent?.callee) && parent.callee.name === 'route'
          for (const child of isRoute ? propertiesOf(node) : Object.values(node)) {
            if (isRoute && isNode(child) && isNode(child.key) && judgedByServer.has(String(child.key.name))) {
              if (isNode(child.value)) edits.push({ start: child.value.start, end: child.value.end, text: 'undefined' })
            } else visit(child, node)
          }
        }
        visit(this.parse(code).body)
        return edits
          .toSorted((a, b) => a.start - b.start)
          .reduceRight((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code)
      },
    },
  }
}
interface Node extends Record<string, unknown> {
  type: string
  start: number
  end: number
}
const propertiesOf = (node: Node) => (Array.isArray(node.properties) ? (node.properties as unknown[]) : [])
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Small parts that screens share; not those that lean on Radix or the router, nor those that neither login nor dashboard use. */
const isSharedPart = (id: string) =>
  /[\\/]node_modules[\\/](clsx|lucide-react)[\\/]/.test(id) ||
  /[\\/]src[\\/](web[\\/]lib|web[\\/]ui)[\\/](?!dialog|form-dialog|toaster|tabs|facts|search-input|hash|copy-button|escape|field|note|section|cut-text|refresh-button|length|words|key-hint)/.test(
    id,
  ) ||
  /[\\/]src[\\/]contract[\\/](auth|live|route|users|transactions)\.ts/.test(id) ||
  /[\\/]src[\\/]web[\\/](api|app[\\/](account|session|query-client|theme))\.tsx?/.test(id)

export default defineConfig({
  root: join(import.meta.dirname, 'src/web'),
  plugins: [contractWithoutSchemas(), react(), tailwindcss(), preloadFirst(), precompress()],
  build: {
    outDir,
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    // The Content-Security-Policy allows no data: source and no inline script.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      // Reading a property does nothing but read: without this a spread keeps what it spreads.
      treeshake: { propertyReadSideEffects: false },
      output: {
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
            { name: 'kit', test: isSharedPart, minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:3000' } },
})
