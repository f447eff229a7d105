import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Failure, say } from './process.mjs'
import { browserTests, runTests, unitTests } from './test.mjs'

/** Keeps a processor busy until the process that started it ends, however that ends. */
const beBusy = `
  process.stdin.resume().on('close', () => process.exit())
  function work() {
    const end = Date.now() + 100
    while (Date.now() < end);
    setImmediate(work)
  }
  work()`

/** Runs the tests of every rule several times, in another order of files each time, beside busy processes, up to the first failure. */
export async function verifySteady(node, args) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '10' },
      load: { type: 'string', default: '0' },
      seed: { type: 'string' },
    },
  })
  const [rounds, load] = [Number(values.rounds), Number(values.load)]
  if (!Number.isInteger(rounds) || rounds < 1) throw new Failure('--rounds must be a whole number from 1')
  if (!Number.isInteger(load) || load < 0) throw new Failure('--load must be a whole number from 0')
  const busy = Array.from({ length: load }, () => spawn(node, ['-e', beBusy], { stdio: ['pipe', 'ignore', 'ignore'] }))
  try {
    for (let round = 1; round <= rounds; round++) {
      const seed = values.seed ?? String(randomInt(1, 2 ** 31))
      say(`round ${round} of ${rounds}, seed ${seed}, beside ${load} busy processes`)
      process.env.TEST_SEED = process.env.TEST_ORDER_SEED = seed
      const begun = Date.now()
      const code = await runTests(node, [
        unitTests(['--project=rules', '--sequence.shuffle.files', `--sequence.seed=${seed}`]),
        browserTests(['--project=rules*']),
      ])
      say(`round ${round}: ${code === 0 ? 'green' : 'RED'} after ${Math.round((Date.now() - begun) / 1000)} s`)
      if (code !== 0) {
        say(`again with: npm run verify:steady -- --rounds 1 --load ${load} --seed ${seed}`)
        return code
      }
    }
    return 0
  } finally {
    for (const child of busy) child.kill('SIGKILL')
  }
}
