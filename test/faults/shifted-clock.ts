import { readFileSync } from 'node:fs'

// Loaded before a server, which then has another time than its database: `CLOCK_OFFSET_FILE` says by how many milliseconds.

const RealDate = Date
let offset = 0

const readOffset = () => {
  try {
    offset = Number(readFileSync(process.env.CLOCK_OFFSET_FILE!, 'utf8')) || 0
  } catch {
    // Nobody has shifted it yet.
  }
}
readOffset()
setInterval(readOffset, 50).unref()

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [target.now() + offset] : given, made) as object,
  apply: (target) => new target(target.now() + offset).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => target.now() + offset : (Reflect.get(target, name, receiver) as unknown),
})
