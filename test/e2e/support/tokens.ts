import type { Page } from '@playwright/test'
import type { ConsoleServer } from './console-server.ts'
import { newWord } from './members.ts'

export const table = (page: Page) => page.getByRole('tabpanel').getByRole('table')
export const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
export const findRow = (page: Page, name: string) => rows(page).filter({ hasText: name })
export const toggle = (page: Page, verb: string, name: string) =>
  page.getByRole('button', { name: `${verb} ${name} (` })
export const newAddress = () => `0x${Buffer.from(newWord()).toString('hex').padEnd(40, '0')}`

/** Imports a token with a unique name. */
export async function importToken(server: ConsoleServer, given: Record<string, unknown> = {}) {
  const token = { projectName: `Project ${newWord()}`, contractAddress: newAddress(), ...given }
  await server.importLines({ type: 'token', kind: 'earning', tokenSymbol: 'SOLR', ...token })
  return token
}
