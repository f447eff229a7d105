import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Scenario,
  type ScenarioResult,
  waitForChanges,
  waitForRecovery,
  waitUntil,
} from '#test/faults/scenario.ts'
import { runUnderLoad } from '#test/faults/under-load.ts'

const diskMegabytes = 512
const fullMs = 3000
/** The console waits at most so long before it starts its database again, and then a little. */
const recoverWithinMs = 40_000

/** Writes zeros until nothing more fits. */
function fillDisk(file: string): void {
  const handle = openSync(file, 'w')
  for (let size = 1024 * 1024; size >= 1;) {
    try {
      writeSync(handle, Buffer.alloc(size))
    } catch {
      size = Math.floor(size / 16)
    }
  }
  closeSync(handle)
}

/** Runs `work` with a folder on a disk of its own. */
async function onSmallDisk(folder: string, work: (disk: string) => Promise<ScenarioResult>): Promise<ScenarioResult> {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m,mode=0711`, 'tmpfs', disk])
  try {
    return await work(disk)
  } finally {
    execFileSync('umount', ['-l', disk])
    rmdirSync(disk)
  }
}

/** A disk of its own, with everything that the console stores, becomes full under changes, and is freed. */
export const fullDisk: Scenario = {
  name: 'full-disk',
  title: `a disk of ${diskMegabytes} MB (tmpfs) with database, documents and checkpoints full, then freed`,
  rounds: 3,
  findObstacle: () =>
    process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'only root on Linux can mount a disk',
  run: (options) =>
    onSmallDisk(options.workspace.folder, (parent) =>
      runUnderLoad(options, { isEmbedded: true, parent }, async ({ installation, history }) => {
        const recovery: number[] = []
        const violations: string[] = []
        const countRefused = () => history.calls.filter(({ status }) => status === 503).length
        for (let round = 0; round < options.rounds; round++) {
          await waitForChanges(history, 50)
          const before = countRefused()
          const ballast = join(parent, 'ballast')
          fillDisk(ballast)
          await waitUntil('a change that the full disk refuses', () => countRefused() > before)
          await pause(fullMs)
          rmSync(ballast)
          const freedAt = performance.now()
          recovery.push(await waitForRecovery(history, freedAt))
        }
        if (recovery.some((ms) => ms > recoverWithinMs)) violations.push('changes were not possible soon after')
        if (!installation.console.isRunning()) violations.push('the server ended')
        return { recovery, violations, figures: { 'changes answered with 503': String(countRefused()) } }
      }),
    ),
}
