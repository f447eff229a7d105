import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import type { Role, Roles } from '#contract/permissions.ts'
import { createLog } from '#server/process/log.ts'
import { afterAll } from 'vitest'
import { createChainAccess } from '#server/adapters/chain-access.ts'
import { openDocumentStore } from '#server/adapters/document-store.ts'
import { createKycProvider } from '#server/adapters/kyc-provider.ts'
import { createPlatformEndpoint } from '#server/adapters/platform-endpoint.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/core/config.ts'
import { createMetrics } from '#server/metrics/metrics.ts'
import { contextFor, type Ctx, type Services } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { ownerRole } from '#server/db/embedded/roles.ts'
import { auditKey, documentsKey, newDatabaseName } from './console-process.ts'
import { connectForTests } from './pooled-database.ts'
import { checkRefusals } from './refusal-check.ts'
import { templateName } from '#test/global-setup.ts'
import { findCluster } from './cluster.ts'

export const password = 'seven grey herons at noon'
/** The hash of `password`, which takes long to compute. */
const passwordHash = '$argon2id$v=19$m=65536,t=3,p=1$6T4i67tMeCBTv5/cpET3uA$3R4XiGLebGqOxlQ5tiWlPwXz8/yuzlj9ujUhbFHD0EM'
export const platformKey = 'platform-key-of-the-tests-0123456789'

export interface TestServer {
  app: FastifyInstance
  services: Services
  /** The context of the system itself, for making data through services. */
  system: Ctx
  /** This test file's own database for a superuser. */
  connection: pg.ClientConfig
  /** Runs SQL on this test file's own database, as a superuser. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** A call in a session of the named admin (a super admin, made on first use), or as nobody. Nobody has signed in for it. */
  as(username: string | null): Caller
  /** Makes an operator of a role, for `as`. */
  addOperator(username: string, role: Role): Promise<{ id: string }>
}

export type Caller = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<LightMyRequestResponse>

/** Inserts an admin's session as sign-in does. Returns its cookie. */
export async function createSession({ sql }: Pick<TestServer, 'sql'>, username: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await sql(
    `WITH admin AS (UPDATE admins SET last_sign_in_at = now() WHERE username = $2 RETURNING id)
     INSERT INTO sessions (token_hash, admin_id, ip_address, user_agent)
     SELECT $1, id, '127.0.0.1', 'lightMyRequest' FROM admin`,
    [createHash('sha256').update(token).digest(), username],
  )
  return `sid=${token}`
}

/**
 * A console of its own for one test file: cloned database, real services, no port. Ends with the file. `roles`
 * replaces the contract's table of what each role may do.
 */
export async function startServer(environment: Record<string, string> = {}, roles?: Roles): Promise<TestServer> {
  const postgres = findCluster().postgres
  const database = newDatabaseName('test')
  const maintenance = new pg.Client(postgres)
  await maintenance.connect()
  // Copying its files takes a fifth of the time that logging each block does.
  await maintenance.query(`CREATE DATABASE ${database} TEMPLATE ${templateName} OWNER ${ownerRole} STRATEGY FILE_COPY`)
  const dataDir = await mkdtemp(join(tmpdir(), 'back-office-documents-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: 'postgres://localhost/unused',
    PLATFORM_API_KEY: platformKey,
    AUDIT_KEY: auditKey,
    DOCUMENTS_KEY: documentsKey,
    // Tests call from clients of many kinds in one session.
    SESSION_NETWORK: 'off',
    // Without a port, which the names of cookies would hold.
    PUBLIC_URL: 'http://localhost',
    ...environment,
  })
  const log = createLog(process.env.TEST_LOG ?? 'silent')
  const services: Services = {
    config,
    // With the rights of a real console, so that every test finds one that is missing.
    database: await connectForTests({ ...postgres, ...findCluster().serverAccount, database }, maintenance),
    documents: openDocumentStore(config),
    chain: createChainAccess(config),
    kycProvider: createKycProvider(config),
    platformEndpoint: createPlatformEndpoint(config),
    metrics: createMetrics(),
    ...(roles && { roles }),
    log,
  }
  const superuser = connectPool({ ...postgres, database, max: 5 }, () => {})
  const app = await buildApp(services)
  checkRefusals(app)
  const system = contextFor(services, { kind: 'system', name: 'tests' })
  const cookies = new Map<string, Promise<string>>()

  const sql: TestServer['sql'] = async (text, values) => (await superuser.pool.query(text, values)).rows

  const added = new Set<string>()
  async function addOperator(username: string, role: Role = 'super_admin') {
    added.add(username)
    const [admin] = await sql<{ id: string }>(
      'INSERT INTO admins (username, password_hash, role) VALUES ($1, $2, $3) RETURNING id',
      [username, passwordHash, role],
    )
    return admin!
  }
  async function openSession(username: string) {
    if (!added.has(username)) await addOperator(username)
    return createSession({ sql }, username)
  }
  function as(username: string | null): Caller {
    return async (method, url, body, headers = {}) => {
      if (username && !cookies.has(username)) cookies.set(username, openSession(username))
      const cookie = username && (await cookies.get(username))
      const options: InjectOptions = { method, url, headers: { ...headers, ...(cookie && { cookie }) } }
      if (body !== undefined) options.payload = body as NonNullable<InjectOptions['payload']>
      return app.inject(options)
    }
  }

  /** Saves room on the disk, so nobody waits for it. It takes as long as connections take to end. */
  async function dropDatabase() {
    maintenance.on('error', () => {})
    try {
      await maintenance.query(`DROP DATABASE ${database} WITH (FORCE)`)
      await maintenance.end()
    } catch {
      // It goes with its PostgreSQL.
    }
  }
  afterAll(async () => {
    await app.close()
    await services.database.close()
    await superuser.close()
    void dropDatabase()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { app, services, system, as, addOperator, connection: { ...postgres, database }, sql }
}
