import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { permissionLabels } from '#contract/permission-labels.ts'
import { can, listPermissions, permissions, roleLabels, roleNames } from '#contract/permissions.ts'
import { allRoutes } from '#contract/schemas/routes.ts'
import { readScope, scopeLabels } from '#contract/scopes.ts'

const file = join(import.meta.dirname, '../docs/access-matrix.md')

const formatRow = (cells: string[]) => `| ${cells.join(' | ')} |`
const mark = (isAllowed: boolean) => (isAllowed ? 'yes' : '–')

const formatTable = (heads: string[], rows: string[][]) =>
  [heads, heads.map(() => '---'), ...rows].map(formatRow).join('\n')

const roleHeads = roleNames.map((role) => roleLabels[role])

const permissionRows = permissions.map((permission) => [
  `\`${permission}\``,
  permissionLabels[permission],
  ...roleNames.map((role) => mark(can({ role }, permission))),
])

/** Calls of operators. The others take no session, or a platform key beside one. */
const callRows = allRoutes.flatMap(({ route: { method, path, access } }) => {
  const needed = listPermissions(access)
  if (needed.length === 0 && access !== 'admin' && access !== 'admin or platform') return []
  const needs = needed.length > 0 ? needed.map((permission) => `\`${permission}\``).join(', ') : 'a session'
  const allowed = roleNames.map((role) => mark(needed.every((permission) => can({ role }, permission))))
  return [[`\`${method} ${path}\``, needs, ...allowed]]
})

const scopeRows = allRoutes.flatMap(({ route: { method, path, access } }) => {
  const scope = readScope(access)
  return scope === null ? [] : [[`\`${method} ${path}\``, `\`${scope}\``, scopeLabels[scope]]]
})

/** Who may do what, as the contract says: by permission, by call, and by scope. */
export const accessMatrix = `# Who may do what

Written by \`npm run access-matrix\` from \`src/contract\`; a test fails where it is out of date. [Roles](product/2-access.md) says
what each role is for.

## Permissions
${formatTable(['Permission', 'Allows', ...roleHeads], permissionRows)}

## Calls of the console
A role without a permission gets 403 \`forbidden\`, which names it. Without a session every call is 401.

${formatTable(['Call', 'Needs', ...roleHeads], callRows)}

## Calls of the platform
A key without the scope gets 403 \`scope_missing\`, which names it. Without a key every call is 401. Only lines of an import need
\`history\`, beside the scope of their own call.

${formatTable(['Call', 'Scope', 'Allows'], scopeRows)}
`

export const readAccessMatrix = () => readFile(file, 'utf8')

if (import.meta.main) await writeFile(file, accessMatrix)
