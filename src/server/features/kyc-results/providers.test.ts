import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resultProviders } from './providers/registry.ts'

const root = join(import.meta.dirname, '../../../..')
const folder = 'src/server/features/kyc-results/providers'

test.each(resultProviders.map(({ name }) => name).filter((name) => name !== 'standard'))(
  'source names %s in its own file, the registry and the settings alone',
  (name) => {
    const naming = globSync('src/**/*.{ts,tsx}', { cwd: root })
      .filter((path) => !path.endsWith('.test.ts'))
      .filter((path) => readFileSync(join(root, path), 'utf8').toLowerCase().includes(name))
    expect(naming.toSorted()).toEqual(
      [
        'src/server/core/config.ts',
        'src/server/core/settings.ts',
        `${folder}/registry.ts`,
        `${folder}/${name}.ts`,
      ].toSorted(),
    )
  },
)

test('each provider has a name, a security scheme and headers of its own', () => {
  const schemes = resultProviders.map(({ description }) => description.securityScheme.name)
  const headers = resultProviders.flatMap(({ description }) =>
    description.headers.map(({ name }) => name.toLowerCase()),
  )
  for (const names of [resultProviders.map(({ name }) => name), schemes, headers])
    expect(new Set(names).size).toBe(names.length)
})

test('each example in a description is a result that its provider can read', () => {
  const examples = resultProviders.flatMap((provider) =>
    (provider.description.body.examples ?? []).map((example) => provider.read({}, example).content.kind),
  )
  expect(examples).toEqual(['result'])
})
