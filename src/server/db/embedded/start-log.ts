import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseLocation } from './location.ts'

/** Where PostgreSQL writes before its own log begins. */
export const openStartLog = ({ home }: DatabaseLocation): string => join(home, 'postgres.log')

/** The last reason that the server gave for ending: in its own log, or earlier in the start log. */
export function readLastError(place: DatabaseLocation): string | undefined {
  const current = read(join(place.cluster, 'current_logfiles')).split(/\s/)[1]
  return findErrorLine(openStartLog(place)) ?? (current && findErrorLine(join(place.cluster, current)))
}

function findErrorLine(file: string): string | undefined {
  const lines = read(file).trimEnd().split('\n').slice(-100)
  return lines
    .map((line) => /(?:FATAL|PANIC|error): .*$/.exec(line)?.[0])
    .findLast((complaint) => complaint !== undefined)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
