import { existsSync } from 'node:fs'
import { Failure, run } from './process.mjs'
import { stampedStage } from './stage.mjs'

const inputs = ['src/web', 'src/contract', 'vite.config.ts', 'tools/sizes.mjs', 'package-lock.json']
export const vite = 'node_modules/vite/bin/vite.js'

/** Builds the console's pages into dist/web unless they are up to date, and checks their sizes. */
export function build(node) {
  return stampedStage('build', 'building the console', { stamp: 'dist/.stamp', inputs }, async () => {
    const env = { NODE_ENV: 'production' }
    if ((await run(node, [vite, 'build', '--logLevel', 'warn'], { env })) !== 0) throw new Failure('the build failed')
    if (!existsSync('tools/sizes.mjs')) return
    if ((await run(node, ['tools/sizes.mjs'])) !== 0)
      throw new Failure('tools/sizes.mjs refuses the build: see the lines above')
  })
}
