import type pg from 'pg'
import { type Connection, DatabaseClient } from './connection.ts'

/** Longer than a statement may take, but for a few that the database says it is at work on. */
const defaultSilentMs = 20_000
/** How long the database may take to say whether it is at work. */
const probeMs = 3000
/** Of a statement's text, of which the database shows 1 kB. */
const comparedLength = 200

/** What a client has, and its types leave out. */
interface ClientInternals {
  processID: number
  connection: pg.Connection
}
const internalsOf = (client: pg.ClientBase) => client as unknown as ClientInternals

/**
 * Closes a connection that carries nothing any more. A network that forgets a connection tells neither side, and a
 * statement over it would never end. A statement without an answer for `silentMs` makes its client ask over a new
 * connection whether the database is still at work on it. If not, the connection is closed, and the statement fails as
 * with a database that is away. Call this once the client is connected. `session` leads past a pooler.
 */
export function closeWhenDead(
  client: pg.ClientBase,
  session: Connection,
  { silentMs = defaultSilentMs, isPooled }: { silentMs?: number | undefined; isPooled?: boolean | undefined } = {},
): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const { processID, connection: own } = internalsOf(client)
  let pending = 0
  let last: unknown
  let timer: NodeJS.Timeout | undefined

  const wait = () => {
    clearTimeout(timer)
    if (pending > 0) timer = setTimeout(() => void judge(), silentMs).unref()
  }
  async function judge() {
    const armed = timer
    const isWorking = await isAtWork(session, isPooled ? findStatement(last) : findProcess(processID))
    // An answer that came meanwhile has set another timer, or none.
    if (armed !== timer || pending === 0) return
    if (isWorking) wait()
    else own.stream.destroy()
  }
  const end = () => {
    pending--
    wait()
  }
  function watched(...given: unknown[]): unknown {
    const callback = given.at(-1)
    pending++
    last = given[0]
    if (pending === 1) wait()
    if (typeof callback !== 'function') return follow(query(...given))
    const whenDone = (...outcome: unknown[]) => {
      end()
      Reflect.apply(callback, undefined, outcome)
    }
    return query(...given.slice(0, -1), whenDone)
  }
  function follow(answer: unknown): unknown {
    if (answer instanceof Promise) answer.then(end, end)
    else end()
    return answer
  }
  // The overloads differ in their arguments alone, which are passed on.
  client.query = watched as typeof client.query
}

const findProcess = (processID: number) => ({ condition: 'pid = $1', value: processID })

/** A pooler names processes of its own. Any process that runs the same statement counts, which closes the connection later at most. */
function findStatement(statement: unknown) {
  const text = typeof statement === 'string' ? statement : (statement as pg.QueryConfig).text
  return { condition: 'pid <> pg_backend_pid() AND starts_with(query, $1)', value: text.slice(0, comparedLength) }
}

/** Whether the database says, over a new connection, that such a process runs a statement. */
async function isAtWork(
  session: Connection,
  { condition, value }: { condition: string; value: string | number },
): Promise<boolean> {
  const limits = { connectionTimeoutMillis: probeMs, query_timeout: probeMs }
  const probe = new DatabaseClient({ ...session, ...limits, application_name: 'back-office probe' })
  probe.on('error', () => {})
  try {
    await probe.connect()
    const text = `SELECT FROM pg_stat_activity WHERE state = 'active' AND ${condition}`
    return (await probe.query(text, [value])).rowCount! > 0
  } catch {
    return false
  } finally {
    // Its own end may never be answered either.
    internalsOf(probe).connection.stream.destroy()
  }
}
