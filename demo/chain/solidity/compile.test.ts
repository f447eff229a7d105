import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from './compile.ts'

test('the committed artifact is what the sources compile to', async () => {
  expect(JSON.parse(await readFile(join(import.meta.dirname, 'artifact.json'), 'utf8'))).toEqual(await compile())
})
