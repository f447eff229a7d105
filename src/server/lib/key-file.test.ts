import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readKeyFile } from './key-file.ts'

const home = await mkdtemp(join(tmpdir(), 'back-office-keys-'))
afterAll(() => rm(home, { recursive: true }))

test('eight readers at once make one key that only its owner may read', async () => {
  const path = join(home, 'keys', 'one')
  const keys = await Promise.all(Array.from({ length: 8 }, () => readKeyFile(path)))
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
  expect(keys[0]).toHaveLength(32)
  expect(await readdir(join(home, 'keys'))).toEqual(['one'])
  expect([(await stat(path)).mode & 0o777, (await stat(join(home, 'keys'))).mode & 0o777]).toEqual([0o600, 0o700])
  expect(Buffer.from(await readFile(path, 'utf8'), 'base64')).toEqual(keys[0])
})

test('a damaged key file is an error and stays as it is', async () => {
  const path = join(home, 'damaged')
  await writeFile(path, 'AAAA')
  await expect(readKeyFile(path)).rejects.toThrow(`${path} does not hold a key of 32 bytes in base64`)
  expect(await readFile(path, 'utf8')).toBe('AAAA')
})
