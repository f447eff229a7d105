import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, resolve } from 'node:path'

/** Longer than the server takes to stop at most. */
const graceMs = 25_000 + (Number(process.env.DRAIN_SECONDS) || 7) * 1000
const children = new Set()
let stopSignal = null
// What Node has compiled once is loaded by each later start: a console is up in two thirds of the time.
const compileCache = process.env.NODE_COMPILE_CACHE ?? resolve('.cache/compiled')

/** Prints one line about what is done. To stderr, so that the output of a task can be piped. */
export function say(line) {
  console.error(process.stderr.isTTY ? `\u001b[2mback-office: ${line}\u001b[0m` : `back-office: ${line}`)
}

/** Why a task cannot continue, in one line for its caller. */
export class Failure extends Error {}

/**
 * Passes signals on to the running program, and stops it when npm is gone: npm ends on SIGTERM without telling its script, which
 * would then be an orphan. Call this first, because npm may be stopped during the first stage.
 */
export function followSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  if (!process.env.npm_lifecycle_event) return
  const parents = findParents()
  const watch = setInterval(() => {
    if (findParents() === parents) return
    clearInterval(watch)
    // A second signal would end the server at once.
    if (!stopSignal) stop('SIGTERM')
    setTimeout(() => children.forEach((child) => child.kill('SIGKILL')), graceMs).unref()
  }, 500)
  watch.unref()
}

/** npm's pid, and that of the shell between npm and us: some shells replace themselves by us, others outlive npm. */
function findParents() {
  const parent = process.ppid
  try {
    const isShell = readFileSync(`/proc/${parent}/cmdline`, 'utf8').split('\0')[1] === '-c'
    const status = isShell ? readFileSync(`/proc/${parent}/status`, 'utf8') : ''
    return `${parent} ${/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? ''}`
  } catch {
    return String(parent) // no /proc on this system
  }
}

export const isStopping = () => stopSignal !== null

function stop(signal) {
  stopSignal ??= signal
  if (children.size === 0) process.exit(codeFor(signal))
  for (const child of children) child.kill(signal)
}

/**
 * Runs a program to its end and resolves to its exit code (128 + number after a signal). `quiet` hides its output unless it
 * fails, `clean` changes each piece of output before it is shown, and a `tied` program gets a channel that closes when we end,
 * even if we are killed.
 */
export function run(program, args, { env = {}, cwd, quiet = false, clean, tied = false, shell = false } = {}) {
  if (stopSignal) process.exit(codeFor(stopSignal))
  return new Promise((done) => {
    const path = `${dirname(program)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`
    const child = spawn(program, args, {
      cwd,
      shell,
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...(program === 'npm' ? {} : { PATH: path }), ...env },
      stdio: quiet || clean ? ['ignore', 'pipe', 'pipe'] : ['inherit', 'inherit', 'inherit', ...(tied ? ['ipc'] : [])],
    })
    children.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        if (quiet) output += chunk
        else process.stderr.write(clean(String(chunk)))
      })
    }
    const finish = (code) => {
      children.delete(child)
      if (code !== 0 && output) process.stderr.write(output)
      done(code)
    }
    child.on('error', (error) => {
      say(`${program} does not start: ${error.message}`)
      finish(127)
    })
    child.on('close', (code, signal) => {
      if (tied && signal && !stopSignal) say(`the console was ended by ${signal}`)
      finish(code ?? codeFor(signal))
    })
  })
}

/** Runs several programs side by side. The first that ends stops the others. */
export async function runTogether(...starts) {
  const runs = starts.map((start) => start())
  const code = await Promise.race(runs)
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(runs)
  return code
}

const codeFor = (signal) => 128 + (constants.signals[signal] ?? 1)
