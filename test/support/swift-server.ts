import { execFile, spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pickAccount, spawnIdentity } from '#server/db/embedded/account.ts'
import { eventually } from '#test/support/eventually.ts'
import { freePort } from '#test/support/free-port.ts'

const programs = '/usr/bin/swift-'
const device = 'device'
const run = promisify(execFile)

const account = { accessKeyId: 'tests:console', secretAccessKey: 'secret' }

// tempauth asks for a cache and needs nothing from it: none answers.
const proxyApp = `[pipeline:main]
pipeline = catch_errors cache s3api tempauth bulk slo proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_tests_console = ${account.secretAccessKey} .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true`

const storageApp = (server: string) => `[pipeline:main]
pipeline = ${server}-server
[app:${server}-server]
use = egg:swift#${server}`

const settingsOf = (folder: string, user: string, port: number, app: string) => `[DEFAULT]
user = ${user}
bind_ip = 127.0.0.1
bind_port = ${port}
swift_dir = ${folder}
devices = ${folder}
mount_check = false
# The process that is started does the work itself.
workers = 0
# For a busy machine: past them a server counts as away for a minute, and a listing lags behind.
conn_timeout = 30
node_timeout = 60
container_update_timeout = 60
${app}`

/**
 * OpenStack Swift with its S3 API on loopback, of one copy on one device, in a folder that keeps extended attributes.
 * Throws where it is not installed.
 */
export async function prepareSwift(folder: string, port: number) {
  if (!existsSync(`${programs}proxy-server`))
    throw new Error(
      'OpenStack Swift is not installed, which these tests are about: ' +
        'apt-get install --no-install-recommends swift-proxy swift-account swift-container swift-object',
    )
  // Its servers drop the rights of root.
  const owner = process.getuid?.() === 0 ? pickAccount() : null
  const user = owner?.name ?? userInfo().username
  const options = { cwd: folder, ...spawnIdentity(owner) }
  await mkdir(join(folder, device))
  if (owner) for (const path of [folder, join(folder, device)]) await chown(path, owner.uid, owner.gid)
  const write = (server: string, at: number, app: string) =>
    writeFile(join(folder, `${server}.conf`), settingsOf(folder, user, at, app))
  const storage = ['account', 'container', 'object']
  const prepareStorage = async (server: string) => {
    const at = await freePort()
    await write(server, at, storageApp(server))
    for (const words of [['create', '4', '1', '1'], ['add', `r1z1-127.0.0.1:${at}/${device}`, '1'], ['rebalance']])
      await run(`${programs}ring-builder`, [`${server}.builder`, ...words], options)
    return at
  }
  const ports = await Promise.all(storage.map(prepareStorage))
  await write('proxy', port, proxyApp)
  const startServer = (server: string) => {
    const stdio: StdioOptions = ['ignore', 'ignore', 'inherit']
    const child = spawn(`${programs}${server}-server`, [`${server}.conf`], { ...options, stdio })
    return { child, ended: once(child, 'exit') }
  }
  const launch = async () => {
    const servers = storage.map(startServer)
    // Without them a bucket that is there is not found.
    await Promise.all(ports.map((at) => eventually(() => fetch(`http://127.0.0.1:${at}/`))))
    servers.push(startServer('proxy'))
    return {
      async close() {
        for (const { child } of servers) child.kill('SIGKILL')
        await Promise.all(servers.map(({ ended }) => ended))
      },
    }
  }
  return { account, launch }
}
