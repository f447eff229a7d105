import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { SettingError } from '#server/core/config.ts'
import { writeOnce } from '#server/lib/write-once.ts'
import { type DocumentKey, readDocumentKey } from './document-cipher.ts'

/** The keys of the document store. The first one encrypts, the others still decrypt. */
export interface DocumentKeys {
  /** Reads them again where the file has changed: a command may have put another key in front. */
  list(): readonly DocumentKey[]
  /** Whether there are any without making some. */
  exist(): boolean
  /** Where they are kept, for messages. */
  place: string
  /** Puts a new key in front of the file. Undefined where the keys are a setting. */
  add?: () => DocumentKey
  /** Removes keys from the file by their ids. */
  drop?: (ids: readonly string[]) => void
}

const lineForm = /^[A-Za-z0-9+/]{43}=$/

/** Keys of the setting DOCUMENTS_KEY, in base64. */
export function createSettingKeys(encoded: readonly string[]): DocumentKeys {
  const keys = encoded.map((key) => readDocumentKey(Buffer.from(key, 'base64')))
  return { list: () => keys, exist: () => true, place: 'DOCUMENTS_KEY' }
}

const newLine = () => randomBytes(32).toString('base64')

const parse = (line: string) => readDocumentKey(Buffer.from(line, 'base64'))

function readLines(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split(/\s+/).filter(Boolean)
  if (lines.length === 0 || !lines.every((line) => lineForm.test(line)))
    throw new SettingError(`${path} must hold 32 bytes in base64, a line each: restore it from a back-up`)
  return lines
}

/** Replaces the file whole, so that no reader meets half of it. */
function writeLines(path: string, lines: readonly string[]): void {
  const draft = `${path}.next`
  rmSync(draft, { force: true })
  writeOnce(draft, `${lines.join('\n')}\n`)
  renameSync(draft, path)
}

/** Keys of a file that only its owner reads, a line each. The first use makes it. */
export function createFileKeys(path: string): DocumentKeys {
  let known: { stamp: string; keys: DocumentKey[] } | undefined
  const stampOf = () => {
    const { mtimeMs, size, ino } = statSync(path)
    return `${mtimeMs} ${size} ${ino}`
  }
  return {
    place: path,
    exist: () => existsSync(path),
    list() {
      if (!existsSync(path)) {
        // A file that vanishes while the console runs is not replaced by a key that opens nothing.
        if (known) return known.keys
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
        writeOnce(path, `${newLine()}\n`)
      }
      const stamp = stampOf()
      if (known?.stamp !== stamp) known = { stamp, keys: readLines(path).map(parse) }
      return known.keys
    },
    add() {
      const line = newLine()
      writeLines(path, [line, ...readLines(path)])
      return parse(line)
    },
    drop(ids) {
      writeLines(
        path,
        readLines(path).filter((line) => !ids.includes(parse(line).id)),
      )
    },
  }
}
