import { randomBytes } from 'node:crypto'
import type { LiveList } from '#contract/live.ts'
import type { LiveEvent } from '#contract/schemas/live.ts'

/** The last events of one server. A stream that reconnects gets what it missed. */
export class LiveHistory {
  // Ids of another server, or from before a restart, are unknown and mean resync.
  readonly #boot = randomBytes(4).toString('hex')
  readonly #size: number
  readonly #events: LiveEvent[] = []
  #last = 0

  constructor(size = 500) {
    this.#size = size
  }

  /** The id of the latest event, `<boot>-<number>`. The number is 0 before the first event. */
  get lastId(): string {
    return `${this.#boot}-${this.#last}`
  }

  add(event: LiveEvent): void {
    this.#last += 1
    this.#events.push(event)
    if (this.#events.length > this.#size) this.#events.shift()
  }

  /** The changes after an id as one event. Null if there are none. */
  since(id: string): LiveEvent | null {
    const [, boot, number] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id) ?? []
    const missed = this.#last - Number(number)
    if (boot !== this.#boot || !(missed >= 0 && missed <= this.#events.length)) return { type: 'resync' }
    const lists = new Set<LiveList>()
    for (const event of this.#events.slice(this.#events.length - missed)) {
      if (event.type !== 'changed') return { type: 'resync' }
      for (const list of event.lists) lists.add(list)
    }
    return missed === 0 ? null : { type: 'changed', lists: [...lists] }
  }
}
