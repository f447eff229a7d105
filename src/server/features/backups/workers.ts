/** Works through a list with several workers, each of which takes the next item. Ends when all have ended, and throws the first error. */
export async function runWorkers<Worker, Item>(
  workers: readonly Worker[],
  items: readonly Item[],
  work: (worker: Worker, item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  let hasFailed = false
  const outcomes = await Promise.allSettled(
    workers.map(async (worker) => {
      for (const item of left) {
        if (hasFailed) return
        try {
          await work(worker, item)
        } catch (error) {
          hasFailed = true
          throw error
        }
      }
    }),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
