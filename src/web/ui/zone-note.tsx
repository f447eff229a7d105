import { browserZone } from '#web/lib/dates.ts'
import { useStore } from '#web/lib/store.ts'

/** Says whose days are counted, where they are not those of the browser. */
export const ZoneNote = () =>
  useStore(browserZone) === null && (
    <p className="text-13 text-quiet">Days are those of UTC: the time zone of this browser is unknown.</p>
  )
