import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyFolder, makeTemplate } from './cluster.ts'

/** The folder of a run, and what is to be ended after a scenario. */
export class Workspace {
  readonly folder = mkdtempSync(join(tmpdir(), 'back-office-faults-'))
  #folders = 0

  constructor() {
    // The account that runs the database has to get through.
    chmodSync(this.folder, 0o711)
  }

  /** Makes the database that the scenarios copy. */
  async prepare(): Promise<void> {
    await makeTemplate(join(this.folder, 'template'))
  }

  /** A new data folder with a migrated database of its own, in `parent`. */
  async makeDataFolder(parent = this.folder): Promise<string> {
    this.#folders += 1
    const dataDir = join(parent, `data-${this.#folders}`)
    await copyFolder(join(this.folder, 'template'), dataDir)
    return dataDir
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
