import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const folder = join(import.meta.dirname, '../deploy/compose')
const readSample = (name: string) => readFileSync(join(folder, name), 'utf8')
const compose = readSample('compose.yml')
/** The lines of a service, from its name to the next one. */
const readService = (name: string) => new RegExp(`\\n  ${name}:\\n(.*?)\\n(?:\\n| {2}\\w)`, 's').exec(compose)![1]!

/** Runs the script in a folder of its own, as `uid` on Linux. `chown` notes what it is asked for. */
function makeSecrets(uid: number) {
  const place = mkdtempSync(join(tmpdir(), 'back-office-compose-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const bin = join(place, 'bin')
  mkdirSync(bin)
  const stub = (name: string, line: string) => writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
  stub('uname', 'echo Linux')
  stub('id', `echo ${uid}`)
  stub('chown', `echo "$@" >> ${place}/owners`)
  cpSync(join(folder, 'make-secrets.sh'), join(place, 'make-secrets.sh'))
  const run = () =>
    execFileSync('sh', [join(place, 'make-secrets.sh')], {
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
      encoding: 'utf8',
      stdio: 'pipe',
    })
  const secrets = join(place, 'secrets')
  const read = () => readdirSync(secrets).map((name) => [name, readFileSync(join(secrets, name), 'utf8')] as const)
  const readOwners = () =>
    readFileSync(join(place, 'owners'), 'utf8')
      .trim()
      .split('\n')
      .flatMap((line) => line.split(' ').flatMap((word, at, [owner]) => (at > 0 ? [[word, owner!] as const] : [])))
  return { run, secrets, read, readOwners }
}

test('each secret of compose is read by the account of its container alone', () => {
  const { run, secrets, read, readOwners } = makeSecrets(0)
  run()
  expect(statSync(secrets).mode & 0o777).toBe(0o700)
  const names = read().map(([name]) => name)
  expect(names.map((name) => statSync(join(secrets, name)).mode & 0o777)).toEqual(names.map(() => 0o400))
  const owners = new Map(readOwners())
  expect([...owners.keys()].toSorted()).toEqual(names.toSorted())
  const listed = [...compose.matchAll(/\{ file: secrets\/([\w-]+) \}/g)].map(([, name]) => name!)
  expect(listed.filter((name) => !owners.has(name))).toEqual([])
  const readBy = (service: string) =>
    [...readService(service).matchAll(/[\w-]+/g)].flatMap(([word]) => owners.get(word) ?? [])
  expect(new Set(readBy('migrate'))).toEqual(new Set(['10001:10001']))
  expect(new Set(readBy('database'))).toEqual(new Set(['999:999']))
})

test('a second run of the script changes no secret', () => {
  const { run, read } = makeSecrets(0)
  run()
  const before = read()
  run()
  expect(read()).toEqual(before)
})

test('the script makes nothing for an account that can give no file away', () => {
  const { run, read } = makeSecrets(1000)
  expect(run).toThrow('Run it as root')
  expect(read).toThrow('ENOENT')
})

test('no console of compose that runs on has the account that owns the tables', () => {
  expect(compose.match(/^.*DATABASE_OWNER_URL.*$/gm)).toHaveLength(1)
  expect(readService('migrate')).toMatch(/DATABASE_OWNER_URL_FILE:/)
  expect(readService('migrate')).toMatch(/restart: 'no'/)
})

test('the proxy of compose alone is trusted, and says itself where a client is', () => {
  const [, address] = /TRUST_PROXY: (\S+)/.exec(compose)!
  expect(readService('proxy')).toContain(`ipv4_address: ${address} }`)
  expect(readSample('haproxy.cfg')).toContain('http-request set-header X-Forwarded-For %[src]')
  expect(readSample('haproxy.cfg')).not.toContain('option forwardfor')
})
