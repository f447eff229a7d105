import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { contextFor } from '#server/core/context.ts'
import { checkStoredFiles } from '#server/features/documents/service.ts'
import type { History, RecordedCall } from '#test/faults/history.ts'
import type { Installation } from '#test/faults/installation.ts'
import { type Scenario, waitForChanges, waitForRecovery, waitUntil } from '#test/faults/scenario.ts'
import { openServices } from '#test/faults/services.ts'
import { type Load, runUnderLoad } from '#test/faults/under-load.ts'
import { documentsKey, hasEnded } from '#test/support/console-process.ts'
import { freePort } from '#test/support/free-port.ts'

/** How long the store is away. */
const awayMs = 1000
const pictures = 1500

/** Starts the store as a process of its own, in `folder`. */
async function startStore(folder: string) {
  await mkdir(folder, { recursive: true })
  const place = [folder, String(await freePort())]
  let child: ChildProcess
  async function start() {
    child = fork(join(import.meta.dirname, '../s3-process.ts'), place)
    const [settings] = (await once(child, 'message')) as [Record<string, string>]
    return settings
  }
  return {
    settings: { ...(await start()), DOCUMENTS_KEY: documentsKey },
    start,
    async kill() {
      if (hasEnded(child)) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

type Store = Awaited<ReturnType<typeof startStore>>

/** No two are the same. */
const makePictures = () =>
  Promise.all(
    Array.from({ length: pictures }, (_, n) => {
      const picture = { width: 20 + (n % 50), height: 20 + Math.floor(n / 50), channels: 3 as const }
      return sharp({ create: { ...picture, background: '#305070' } })
        .jpeg()
        .toBuffer()
    }),
  )

const listUploads = ({ operations }: History): RecordedCall[] =>
  [...operations].flatMap(([{ kind }, calls]) => (kind === 'saveDocument' ? calls : []))
const countUploads = (history: History) =>
  listUploads(history).filter(({ outcome }) => outcome === 'acknowledged').length

const waitForUploads = (history: History, count: number) => {
  const wanted = countUploads(history) + count
  return waitUntil(`${count} uploads`, () => countUploads(history) >= wanted, 120)
}

/** Returns how long no change, and then how long no upload was acknowledged. */
async function killBoth({ installation: { cluster }, history }: Load, store: Store): Promise<[number, number]> {
  await waitForChanges(history, 40)
  await waitForUploads(history, 4)
  const databaseKilledAt = performance.now()
  await cluster.kill()
  await cluster.start()
  const ofChanges = await waitForRecovery(history, databaseKilledAt)
  await waitForUploads(history, 4)
  const storeKilledAt = performance.now()
  await store.kill()
  await pause(awayMs)
  await store.start()
  await waitForUploads(history, 1)
  return [ofChanges, performance.now() - storeKilledAt]
}

/** Reads every picture that the database names, and proves its bytes. */
async function checkPictures({ cluster, dataDir }: Installation, settings: Record<string, string>) {
  const services = openServices(cluster.connection, { ...settings, DATA_DIR: dataDir })
  const { missing, damaged } = await checkStoredFiles(contextFor(services, { kind: 'system', name: 'faults' }))
  await services.database.close()
  const show = (what: string) => (file: { kind: string; sha256: string }) =>
    file.kind === 'picture' ? [`a picture is ${what}: ${file.sha256}`] : []
  return [...missing.flatMap(show('missing')), ...damaged.flatMap(show('damaged'))]
}

/** Nothing that was acknowledged may be lost, whichever of both is away. */
export const storeAndDatabase: Scenario = {
  name: 'store-and-database',
  title: 'kill -9 of the database and of the store of documents in turn, under changes and uploads',
  rounds: 10,
  async run(options) {
    const store = await startStore(join(options.workspace.folder, 's3'))
    const load = { environment: async () => store.settings, targets: 2000, clients: 6 }
    try {
      return await runUnderLoad(options, load, async (started) => {
        const { installation, history } = started
        installation.intentions.addPictures(await makePictures())
        const pauses: [number, number][] = []
        for (let round = 0; round < options.rounds; round++) pauses.push(await killBoth(started, store))
        await started.stop()
        const longest = Math.max(...pauses.map(([, ofUploads]) => ofUploads))
        const refused = listUploads(history).filter(({ code }) => code === 'store_unavailable').length
        return {
          recovery: pauses.map(([ofChanges]) => ofChanges),
          violations: await checkPictures(installation, store.settings),
          figures: {
            'uploads acknowledged': String(countUploads(history)),
            'of them refused at first, without the store': String(refused),
            'pause of uploads, with 1 s without the store, at most': `${Math.round(longest)} ms`,
          },
        }
      })
    } finally {
      await store.kill()
    }
  },
}
