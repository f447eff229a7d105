import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformKey, startServer } from './support/server.ts'

/** Tools of a platform's engineers. They stand apart, as they need a TypeScript with an API; `npm test` installs them. */
const tools = join(import.meta.dirname, 'api-clients')
const server = await startServer()
const folder = await mkdtemp(join(tmpdir(), 'back-office-clients-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(script: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [resolve(tools, script), ...args], {
    cwd: folder,
  }).catch((error: { stdout?: string; message: string }) => ({ stdout: error.stdout || error.message }))
  return stdout
}

beforeAll(async () => {
  const { body } = await server.as('ada')('GET', '/api/openapi.json')
  await writeFile(join(folder, 'openapi.json'), body)
  await symlink(join(tools, 'node_modules'), join(folder, 'node_modules'))
})

test("Redocly's recommended rules and Spectral's rules for OpenAPI find no error", async () => {
  const found = JSON.parse(await run('lint.mjs', 'openapi.json')) as { rule: string; isError: boolean }[]
  expect(found.filter(({ isError }) => isError)).toEqual([])
  // Each of them reads the description: they know advice that it does not follow, one about the address of this test.
  const rules = new Set(found.map(({ rule }) => rule))
  expect([...rules].toSorted()).toEqual([
    'redocly info-license',
    'redocly no-server-example.com',
    'spectral info-contact',
    'spectral operation-description',
  ])
})

test('clients of openapi-fetch and hey-api compile under strict and save a member', async () => {
  await run('node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.ts')
  await run('node_modules/@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'client', '--no-log-file')
  const programs = ['with-fetch', 'with-sdk']
  for (const program of programs) await cp(join(tools, `${program}.ts`), join(folder, `${program}.ts`))
  await writeFile(join(folder, 'package.json'), '{"type": "commonjs"}')
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        // hey-api writes its imports without file endings.
        module: 'commonjs',
        moduleResolution: 'node10',
        esModuleInterop: true,
        lib: ['es2024', 'dom', 'dom.iterable'],
        types: ['node'],
        typeRoots: [join(import.meta.dirname, '../node_modules/@types')],
        strict: true,
        outDir: 'built',
        rootDir: '.',
      },
      include: ['*.ts', 'client'],
    }),
  )
  expect(await run('node_modules/typescript/bin/tsc', '-p', folder)).toBe('')
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const results = await Promise.all(
    programs.map((program) => run(join(folder, `built/${program}.js`), address, platformKey)),
  )
  expect(results.map((result) => JSON.parse(result) as unknown)).toEqual([
    ['created', 'client@example.com', null, 'not_found'],
    ['created', 'other@example.com', null, 'not_found'],
  ])
  expect(await server.sql(`SELECT id FROM members WHERE id LIKE 'client-%' ORDER BY id`)).toEqual([
    { id: 'client-1' },
    { id: 'client-2' },
  ])
})
