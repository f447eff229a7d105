import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generate } from 'openapi-typescript-codegen'
import { afterAll, expect, test } from 'vitest'
import { platformKey, startServer } from './server.ts'

const server = await startServer()
const key = { authorization: `Bearer ${platformKey}` }
const html = { accept: 'text/html,application/xhtml+xml' }

test('PRODUCT 4: the description opens to an operator and to a platform key, and to nobody else', async () => {
  for (const url of ['/api/openapi.json', '/api/docs']) {
    expect((await server.as('ada')('GET', url)).statusCode, url).toBe(200)
    expect((await server.as(null)('GET', url, undefined, key)).statusCode, url).toBe(200)
    const refused = await server.as(null)('GET', url, undefined, { accept: 'application/json' })
    expect(refused.statusCode, url).toBe(401)
    expect(refused.json(), url).toMatchObject({ code: 'unauthorized' })
    const wrong = await server.as(null)('GET', url, undefined, { ...html, authorization: 'Bearer wrong' })
    expect(wrong.json(), url).toMatchObject({ code: 'unauthorized' })
  }
})

test('PRODUCT 4: the page runs nothing of its own and takes nothing from another host; signed out it says where to sign in', async () => {
  const page = await server.as('ada')('GET', '/api/docs', undefined, html)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(page.body).toContain('/api/platform/v1/members/{id}')
  const out = await server.as(null)('GET', '/api/docs', undefined, html)
  expect(out.statusCode).toBe(401)
  expect(out.headers['content-security-policy']).toBe(policy)
  expect(out.body).toContain('href="/login"')
  expect(out.body).not.toContain('/api/platform/v1/members')
})

/** A folder outside of the project for what a platform's engineers would make. */
const folder = await mkdtemp(join(tmpdir(), 'back-office-client-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const program = `import { MembersService, OpenAPI } from './client'

async function main([address = '', key = '']: string[]) {
  OpenAPI.BASE = address
  OpenAPI.TOKEN = key
  const body = { email: 'client@example.com', legalFirstName: 'Ana' }
  const saved = await MembersService.platformSaveMember('client-1', body)
  const again = await MembersService.platformSaveMember('client-1', body)
  const member = await MembersService.platformMember('client-1')
  const kycStatus: string | null = member.kyc.status
  console.log(JSON.stringify([saved.outcome, again.outcome, member.email, kycStatus]))
}
void main(process.argv.slice(2))
`
const settings = {
  compilerOptions: {
    target: 'es2022',
    // The generator writes its imports without file endings.
    module: 'commonjs',
    moduleResolution: 'bundler',
    lib: ['es2024', 'dom'],
    types: ['node'],
    typeRoots: [join(import.meta.dirname, '../node_modules/@types')],
    strict: true,
    outDir: 'built',
    rootDir: '.',
  },
  include: ['.'],
}

test('PRODUCT 4: a client that is generated from the description compiles under strict and saves a member', async () => {
  const input = (await server.as('ada')('GET', '/api/openapi.json')).json<Record<string, unknown>>()
  await generate({ input, output: join(folder, 'client'), httpClient: 'fetch' })
  await writeFile(join(folder, 'package.json'), '{"type": "commonjs"}')
  await writeFile(join(folder, 'main.ts'), program)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const run = promisify(execFile)
  const root = join(import.meta.dirname, '..')
  const compiled = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? 'it did not run' }),
  )
  expect(compiled.stdout).toBe('')
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { stdout } = await run(process.execPath, [join(folder, 'built/main.js'), address, platformKey])
  expect(JSON.parse(stdout)).toEqual(['created', 'unchanged', 'client@example.com', null])
  expect(await server.sql(`SELECT email FROM members WHERE id = 'client-1'`)).toEqual([{ email: 'client@example.com' }])
}, 60_000)
