import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { pickAccount } from '#server/db/embedded/account.ts'
import { blocks, elsewhere, project, takeBlock, walked } from './support/operating-blocks.ts'
import { makeFolder } from './support/backups.ts'
import { endProcess } from './support/console-process.ts'
import { freePort } from './support/free-port.ts'
import { findSystemPostgres, startSystemPostgres } from './support/system-postgres.ts'

const bin = findSystemPostgres()
const isInstalled = (...programs: string[]) => programs.every((name) => spawnSync('which', [name]).status === 0)

/** Figures, instants and versions are others than those shown, and so are words that follow one or several. */
const blur = (text: string) =>
  text.replaceAll(/\d[\d,.:TZ-]*/g, '#').replaceAll(/\b(session|second factor|checkpoint|file|entr(?:y|ie))s?\b/g, '$1')

describe.skipIf(bin === undefined || !isInstalled('rsync', 'psql', 'openssl', 'haproxy', 'nginx'))(
  'docs/operating.md',
  async () => {
    if (bin === undefined) return
    const root = await makeFolder()
    const account = process.getuid?.() === 0 ? pickAccount() : undefined
    const [certificate, key] = [join(root, 'server.pem'), join(root, 'server.key')]
    execFileSync(
      'openssl',
      [
        ...'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'.split(
          ' ',
        ),
        '-keyout',
        key,
        '-out',
        certificate,
      ],
      { stdio: 'ignore' },
    )
    await chmod(root, 0o755)
    await chmod(key, 0o600)
    if (account) await chown(key, account.uid, account.gid)
    const postgres = await startSystemPostgres(bin, { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key })
    const port = await freePort()
    const journal = openSync(join(root, 'journal'), 'a')
    let console_: ChildProcess | undefined
    /** The status of the answer to whether it is ready. Undefined where nobody listens. */
    const askReady = () =>
      fetch(`http://localhost:${port}/ready`).then(
        ({ status }) => status,
        () => undefined,
      )
    async function stopConsole() {
      if (console_) await endProcess(console_)
      await vi.waitUntil(async () => (await askReady()) === undefined, { timeout: 60_000, interval: 50 })
    }
    afterAll(async () => {
      await stopConsole()
      postgres.stop()
    })
    const address = (user: string) =>
      `postgres://${user}:any@localhost:${postgres.port}/console?sslmode=verify-full&sslrootcert=${certificate}`
    let environment: Record<string, string> = {
      PATH: process.env.PATH!,
      HOME: root,
      npm_config_loglevel: 'silent',
      DATABASE_URL: address('owner'),
      DATA_DIR: join(root, 'data'),
      DEMO: 'off',
    }
    for (const folder of ['backup/checkpoints', 'backup/documents', 'archive', 'data/documents'])
      await mkdir(join(root, folder), { recursive: true })
    const places: [string, string][] = [
      ['/backup/', `${root}/backup/`],
      ['backup:/back-office/', `${root}/backup/`],
      ['/archive/', `${root}/archive/`],
      ['console.dump', `${root}/console.dump`],
      ['evidence.dump', `${root}/evidence.dump`],
      ['key.txt', `${root}/key.txt`],
      ['<username>', 'ada'],
      ['<name>', 'shop'],
      ['<next name>', 'shop-2'],
      ['<its address>', '203.0.113.7'],
    ]
    const fill = (text: string, more: readonly [string, string][] = []) =>
      [...more, ...places].reduce((filled, [from, to]) => filled.replaceAll(from, to), text)

    /** Runs lines of a shell in the project's folder, and keeps what they export. Returns what they print. */
    function runShell(lines: readonly string[], { fails = false } = {}): string {
      const kept = join(root, 'environment')
      const script = ['set -eu -o pipefail', ...lines, `env -0 > ${kept}`].join('\n')
      const ran = spawnSync('bash', ['-c', script], { cwd: project, env: environment, encoding: 'utf8' })
      expect(ran.status === 0, `${lines.join('\n')}\n${ran.stdout}${ran.stderr}`).toBe(!fails)
      if (!fails)
        environment = Object.fromEntries(
          readFileSync(kept, 'utf8')
            .split('\0')
            .filter(Boolean)
            .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
        )
      return ran.stdout
    }
    const walk = (beginning: string, more?: readonly [string, string][]) =>
      runShell(takeBlock(beginning).map((line) => fill(line, more)))
    const admin = (words: string) => runShell([`npm run admin -- ${words}`])

    /** Runs the commands of a block that shows what they say, and compares that. */
    function walkShown(beginning: string, { fails = false } = {}): void {
      const lines = takeBlock(beginning).map((line) => fill(line))
      for (const [at, line] of lines.entries()) {
        if (!line.startsWith('$ ')) continue
        const next = lines.findIndex((later, index) => index > at && later.startsWith('$ '))
        const said = blur(runShell([`${line.slice(2)}${fails ? ' 2>&1' : ''}`], { fails }))
        for (const shown of lines.slice(at + 1, next < 0 ? undefined : next))
          for (const part of shown.split('…')) expect(said).toContain(blur(part).trim())
      }
    }

    /** Makes what a chapter begins with. */
    function asSuperuser(...statements: string[]): void {
      const given = ['SET session_replication_role = replica', ...statements].flatMap((text) => ['-c', text])
      execFileSync('psql', ['-q', postgres.buildUrl('console'), ...given])
    }

    async function startConsole(): Promise<void> {
      console_ = spawn('npm', ['start'], { cwd: project, env: environment, stdio: ['ignore', journal, journal] })
      const ended = once(console_, 'exit').then(() => {
        throw new Error(readFileSync(join(root, 'journal'), 'utf8').slice(-2000))
      })
      await Promise.race([
        ended,
        vi.waitUntil(async () => (await askReady()) === 200, { timeout: 100_000, interval: 100 }),
      ])
    }

    test('a database with two accounts, a production start, and its operators', async () => {
      runShell([
        `psql -q '${postgres.buildUrl('postgres')}' -c 'CREATE ROLE owner LOGIN CREATEROLE' -c 'CREATE DATABASE console OWNER owner'`,
      ])
      const roles = walk('npm run admin -- db roles ')
      const url = /^DATABASE_URL='(.*)'$/m.exec(roles)![1]!
      runShell([`export DATABASE_OWNER_URL="$DATABASE_URL" DATABASE_URL='${url}'`])
      runShell([
        `psql -q "$DATABASE_OWNER_URL" <<'SQL'`,
        ...takeBlock('ALTER ROLE console').map((line) => line.replace('ALTER ROLE console', 'ALTER ROLE owner_server')),
        'SQL',
      ])
      await writeFile(join(root, 'totp-key'), Buffer.alloc(32, 7).toString('base64'))
      const start = takeBlock("export DATABASE_URL='postgres://console:…@db.internal")
      const given: [string, string][] = [
        ["'postgres://console:…@db.internal:5432/console?sslmode=verify-full&sslrootcert=/etc/db-ca.pem'", `'${url}'`],
        ['/var/lib/back-office', join(root, 'data')],
        ['10.0.0.12', '127.0.0.1'],
        ['PORT=3000', `PORT=${port}`],
        ["'https://bsc-dataseed.bnbchain.org https://bsc-dataseed.defibit.io'", 'http://127.0.0.1:1'],
        ["'https://your-node.example.com/…'", 'http://127.0.0.1:1'],
        ['/etc/back-office/totp-key', join(root, 'totp-key')],
        ['https://platform.example.com/events', 'https://127.0.0.1:1/events'],
        ['https://kyc.example.com/cases', 'https://127.0.0.1:1/cases'],
        ['whsec_…', `whsec_${Buffer.alloc(32, 8).toString('base64')}`],
      ]
      runShell(start.map((line) => fill(line, given)))
      await startConsole()
      expect(admin('create ada --role viewer --generate')).toContain('ada')
      const [, head = ''] = takeBlock('$ npm run admin -- list')
      expect(admin('list')).toContain(head.split('  ')[0])
      walk('psql "$DATABASE_URL" -c \'SELECT name, server')
      walk('npm run admin -- retention set')
      asSuperuser('UPDATE platform_endpoints SET paused_at = now()')
      walk('npm run admin -- events status')
      expect(walk('npm run admin -- access list')).toContain('owner_server')
    })

    test('stolen laptops and keys', () => {
      const addFactor = () =>
        asSuperuser(
          `INSERT INTO admin_factors (admin_id, kind, name, secret_enc, key_id, last_step)
         SELECT id, 'totp', 'Phone', 'x', 'k', 0 FROM admins WHERE username = 'ada'`,
        )
      walkShown('$ npm run admin -- disable')
      addFactor()
      walkShown('$ npm run admin -- set-password')
      walk('psql "$DATABASE_URL" -c "SELECT at, kind')
      addFactor()
      walk('npm run admin -- set-password')
      admin('key create shop')
      expect(walk('npm run admin -- key list')).toContain('shop')
      walkShown('$ npm run admin -- key revoke')
      walk('npm run admin -- key create <next')
      walk('psql "$DATABASE_URL" -c "SELECT created_at')
      admin('endpoint create crm https://crm.example.com/events')
      walk('npm run admin -- end-session --everyone', [['<id>', '2']])
    })

    test('back-ups, restores and upgrades', async () => {
      const printed = admin('backup new-key')
      const shown = takeBlock('$ npm run admin -- backup new-key')
      expect(blur(printed)).toContain(blur(shown[1]!))
      await writeFile(join(root, 'key.txt'), /^AGE-SECRET-KEY-.*$/m.exec(printed)![0])
      runShell([`export BACKUP_KEY=${/^BACKUP_KEY=(.*)$/m.exec(printed)![1]!}`])
      const [make, verify] = takeBlock('npm run admin -- backup /backup/back-office')
      runShell([fill(make!), fill(`${verify!} --key key.txt`)])
      runShell(
        takeBlock('npm run admin -- backup /backup/before-upgrade')
          .slice(0, 1)
          .map((line) => fill(line)),
      )
      walkShown('$ npm run admin -- audit copy')
      walk('rsync -a "$DATA_DIR"/audit-checkpoints-*')
      walk('cp -a "$DATA_DIR"')
      await stopConsole()

      const recreate = `psql -q '${postgres.buildUrl('postgres')}' -c 'DROP DATABASE console WITH (FORCE)' -c 'CREATE DATABASE console OWNER owner'`
      runShell([recreate])
      walk('npm run admin -- restore /backup/back-office')
      await startConsole()
      await stopConsole()

      runShell([recreate])
      walk('rsync -a backup:/back-office/documents/')
      await startConsole()
      walkShown('$ npm run admin -- audit verify')
      walk('rsync -a --ignore-existing')
    })

    test('a database that was altered', () => {
      const evidence = takeBlock('systemctl stop back-office')
      runShell(evidence.slice(1, -1).map((line) => fill(line)))
      // A journal without one checkpoint, where systemd keeps it.
      runShell([fill(': > /backup/evidence.log')])
      asSuperuser(`UPDATE audit_log SET action = 'ban_user' WHERE id = (SELECT max(audit_id) FROM audit_chain)`)
      walkShown('$ npm run admin -- audit verify --checkpoints', { fails: true })
      walk('psql "$DATABASE_URL" -c \'SELECT chain_id')
    })

    test('proxies take what is shown for them', async () => {
      const nginx = join(root, 'nginx.conf')
      const server = `server { listen 127.0.0.1:${await freePort()};\n${takeBlock('location / {').join('\n')}\n}`
      await writeFile(
        nginx,
        `pid ${root}/nginx.pid; error_log stderr;\nevents {}\nhttp { access_log off;\n${server} }\n`,
      )
      runShell([`nginx -t -q -c ${nginx}`])
      const haproxy = join(root, 'haproxy.cfg')
      const defaults = 'defaults\n  mode http\n  timeout connect 2s\n  timeout client 60s\n  timeout server 60s\n'
      const listener = `frontend all\n  bind 127.0.0.1:${await freePort()}\n  default_backend console\n`
      await writeFile(haproxy, `${defaults}${listener}${takeBlock('backend console').join('\n')}\n`)
      runShell([`haproxy -c -f ${haproxy}`])
    })

    test('each other block is run elsewhere, or it is said why not', () => {
      const left = blocks.filter((block) => !walked.has(block)).map(({ lines }) => lines[0]!)
      const by = (line: string) => Object.entries(elsewhere).find(([beginning]) => line.startsWith(beginning))?.[1]
      expect(left.filter((line) => by(line) === undefined)).toEqual([])
      expect(Object.keys(elsewhere).filter((beginning) => !left.some((line) => line.startsWith(beginning)))).toEqual([])
      const missing = Object.values(elsewhere).filter(
        (file) => !file.startsWith('needs ') && !existsSync(join(project, file)),
      )
      expect(missing).toEqual([])
    })
  },
)
