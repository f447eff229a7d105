import { rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { makeCall } from '#test/faults/call.ts'
import { copyFolder, startCluster } from '#test/faults/cluster.ts'
import { compareDigests, computeDigest, type Digest } from '#test/faults/digest.ts'
import { History } from '#test/faults/history.ts'
import type { Installation } from '#test/faults/installation.ts'
import { type Scenario, waitForChanges } from '#test/faults/scenario.ts'
import { runUnderLoad } from '#test/faults/under-load.ts'
import { startWriters } from '#test/faults/writers.ts'

const pictures = 12

/** Documents of a member, so that there are files to keep. */
async function addDocuments({ origin, intentions }: Installation): Promise<void> {
  const agent = new Agent()
  for (let n = 0; n < pictures; n++) {
    const picture = { width: 60 + n, height: 40, channels: 3 as const, background: '#305070' }
    const body = await sharp({ create: picture }).jpeg().toBuffer()
    const answer = await makeCall(origin, intentions.saveDocument('buyer-1', body), { agent })
    if (answer.status !== 200) throw new Error(`a document was answered with ${answer.status} ${answer.code}`)
  }
  agent.destroy()
}

/** The digest of a stopped console. */
async function readDigest({ dataDir, query }: Installation): Promise<Digest> {
  const cluster = await startCluster(dataDir)
  try {
    return await query((client) => computeDigest(client, dataDir, ['documents', 'keys']))
  } finally {
    await cluster.close()
  }
}

/** Changes that are made after the back-up, and lost with the restore. */
async function changeMore({ origin, intentions }: Installation): Promise<void> {
  const history = new History()
  const writers = startWriters({ history, intentions, origins: [origin] })
  try {
    await waitForChanges(history, 100)
  } finally {
    await writers.stop()
  }
}

/** A cold back-up as the manual has it, further changes, and the back-up put back. */
export const restoredBackup: Scenario = {
  name: 'restored-backup',
  title: 'back-up, further changes, restore: the same digest of all tables and files',
  rounds: 1,
  run: (options) =>
    runUnderLoad(options, { isEmbedded: true }, async ({ installation, history, stop }) => {
      const { dataDir } = installation
      const backup = join(options.workspace.folder, 'backup')
      await addDocuments(installation)
      await waitForChanges(history, 300)
      await stop()
      await installation.settle()
      const sent = [...installation.endpoint.calls]
      await installation.console.stop()
      const before = await readDigest(installation)
      await copyFolder(dataDir, backup)
      await installation.restart()
      await changeMore(installation)
      await installation.console.stop()
      const changed = compareDigests(before, await readDigest(installation))
      await rm(dataDir, { recursive: true })
      await copyFolder(backup, dataDir)
      await rm(backup, { recursive: true })
      const differences = compareDigests(before, await readDigest(installation))
      // What came after the back-up is of changes that the restored database does not know.
      installation.endpoint.calls.splice(0, Infinity, ...sent)
      await installation.restart()
      const violations = [
        ...differences.map((difference) => `not restored: ${difference}`),
        ...(changed.length > 0 ? [] : ['nothing changed after the back-up']),
      ]
      const names = [...before.keys()]
      const count = (kind: string) => String(names.filter((name) => name.startsWith(kind)).length)
      return {
        violations,
        figures: { tables: count('table'), files: count('file'), differences: String(differences.length) },
      }
    }),
}
