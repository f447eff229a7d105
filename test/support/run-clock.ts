import pg from 'pg'

/** Each run of the tests begins at noon of this Wednesday: it meets no midnight, no end of a month and no change of the hour. */
const start = Date.UTC(2026, 10, 25, 12)

const RealDate = Date
const given = new URL(import.meta.url).searchParams.get('shift')
/** By how much the clock of the run is set, in milliseconds. All its processes have the same. */
export const shiftMs = Number(given ?? (process.env.TEST_CLOCK_SHIFT_MS ??= String(start - RealDate.now())))

/** A `Date` whose clock is set by so many milliseconds. Pages of the browser run it too, so it uses nothing from outside. */
export function createDate(Real: DateConstructor, shift: number): DateConstructor {
  const now = () => Real.now() + shift
  function ShiftedDate(...given: unknown[]): Date | string {
    const args = given.length === 0 ? [now()] : given
    return new.target ? (Reflect.construct(Real, args, new.target) as Date) : new Real(now()).toString()
  }
  // As hidden as those of `Date`, since clocks of tests copy what can be listed.
  for (const [name, value] of Object.entries({ now, parse: Real.parse, UTC: Real.UTC }))
    Object.defineProperty(ShiftedDate, name, { value, writable: true, configurable: true })
  ShiftedDate.prototype = Real.prototype
  return ShiftedDate as unknown as DateConstructor
}

/** Sets `Date` of this process and of the Node processes that it starts. Their timers run as ever. */
export function setRunClock(): void {
  if (process.env.NODE_OPTIONS?.includes(import.meta.url)) return // this process has it
  globalThis.Date = createDate(RealDate, shiftMs)
  const preload = `--import=${import.meta.url}?shift=${shiftMs}`
  process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, preload].filter(Boolean).join(' ')
}

/** PostgreSQL's settings that make a database use what `setDatabaseClock` adds. */
export const clockSettings = { search_path: 'public, pg_catalog' }

/** Sets `now()` and `clock_timestamp()` of a database, and of those cloned from it. Before its tables are made, whose defaults call them. */
export async function setDatabaseClock(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  for (const [name, kind] of [
    ['now', 'STABLE'],
    ['clock_timestamp', 'VOLATILE'],
  ])
    await client.query(`CREATE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql ${kind} PARALLEL SAFE
      RETURN pg_catalog.${name}() + interval '${shiftMs} milliseconds'`)
  await client.end()
}

// A process that is started with this file as its preload.
if (given !== null) globalThis.Date = createDate(RealDate, shiftMs)
