import { Failure, run } from './process.mjs'
import { stampedStage } from './stage.mjs'

const inputs = ['src/web', 'src/contract', 'vite.config.ts', 'tools/sizes.mjs', 'package-lock.json']
export const vite = 'node_modules/vite/bin/vite.js'

/** Builds the console's pages into dist/web unless they are current, and says so if the first load exceeds its budget. */
export function build(node) {
  return stampedStage('build', 'building the console', { stamp: 'dist/.stamp', inputs }, async () => {
    const env = { NODE_ENV: 'production' }
    if ((await run(node, [vite, 'build', '--logLevel', 'warn'], { env })) !== 0) throw new Failure('the build failed')
    await run(node, ['tools/sizes.mjs', '--over'])
  })
}

/** Fails if the first load exceeds the budget. A check for developers, not for anyone who starts the console. */
export async function checkSizes(node) {
  await build(node)
  return run(node, ['tools/sizes.mjs'])
}
