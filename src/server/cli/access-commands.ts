import { roleLabels } from '#contract/permissions.ts'
import type { RoleLevel } from '#server/db/database-roles.ts'
import { defineCommand } from './command.ts'
import { formatScopes } from './key-commands.ts'
import { type AccessReport, readAccess } from './read-access.ts'
import { formatTable } from './output.ts'

const formatReport = (report: AccessReport): string =>
  [
    formatPart('Operators', listOperators(report)),
    formatPart('Open invitations', listInvitations(report)),
    formatPart('Platform keys', listKeys(report), describeEnded(report)),
    formatPart('Endpoints', listEndpoints(report)),
    formatPart('Database roles', listRoles(report)),
    `Settings, as they are set here\n${formatTable(['setting', 'value'], Object.entries(report.settings))}`,
  ].join('\n\n')

/** The heading with the number of rows, and the rows under their names. */
function formatPart(heading: string, [names, ...rows]: string[][], end?: string): string {
  const shown = rows.length === 0 ? [] : [formatTable(names!, rows)]
  return [`${heading}: ${rows.length === 0 ? 'none' : rows.length}`, ...shown, ...(end ? [end] : [])].join('\n')
}

function describeFactors({ passkeys, apps, recoveryCodes }: AccessReport['operators'][number]['factors']): string {
  const counted = [
    [passkeys, 'passkey'],
    [apps, 'app'],
    [recoveryCodes, 'code'],
  ] as const
  const found = counted.filter(([count]) => count > 0).map(([count, noun]) => `${count} ${noun}${count > 1 ? 's' : ''}`)
  return found.join(', ') || 'none'
}

const listOperators = ({ operators }: AccessReport) => [
  ['username', 'role', 'state', 'signs in by', 'factors', 'last sign-in', 'sessions'],
  ...operators.map(({ username, role, state, isBreakGlass, signInWays, signInLinkUntil, ...rest }) => [
    username,
    roleLabels[role],
    [state, isBreakGlass && 'break-glass', signInLinkUntil && `sign-in link until ${signInLinkUntil}`]
      .filter(Boolean)
      .join(', '),
    signInWays.join(', ') || 'nothing yet',
    describeFactors(rest.factors),
    rest.lastSignInAt ?? 'never',
    String(rest.sessions),
  ]),
]

const listInvitations = ({ invitations }: AccessReport) => [
  ['username', 'role', 'invited by', 'until'],
  ...invitations.map(({ username, role, invitedBy, approvedBy, until }) => [
    username,
    roleLabels[role],
    [invitedBy ?? 'unknown', approvedBy && `approved by ${approvedBy}`].filter(Boolean).join(', '),
    until,
  ]),
]

const listKeys = ({ platformKeys }: AccessReport) => [
  ['name', 'scopes', 'networks', 'made', 'expires', 'last used'],
  ...platformKeys.map(({ name, scopes, networks, createdAt, expiresAt, lastUsedAt }) => [
    name,
    formatScopes(scopes),
    networks?.join(',') ?? 'anywhere',
    createdAt ?? 'a setting',
    expiresAt ?? 'never',
    lastUsedAt ?? (createdAt === null ? 'not counted' : 'never'),
  ]),
]

const describeEnded = ({ endedKeys }: AccessReport) =>
  endedKeys === 0
    ? undefined
    : `${endedKeys} more ${endedKeys === 1 ? 'is revoked or has' : 'are revoked or have'} expired: npm run admin -- key list`

const listEndpoints = ({ endpoints }: AccessReport) => [
  ['id', 'name', 'host', 'state', 'types', 'made'],
  ...endpoints.map(({ id, name, host, state, types, createdAt }) => [
    id,
    name,
    host ?? 'PLATFORM_WEBHOOK_URL is not set here',
    state,
    types?.join(',') ?? 'all',
    createdAt,
  ]),
]

const levelWords: Record<RoleLevel, string> = {
  superuser: 'superuser',
  owner: 'owns tables, or could change what is only ever added',
  changes: 'reads and changes rows',
  reads: 'reads rows',
}

const listRoles = ({ databaseRoles }: AccessReport) => [
  ['name', 'may', 'signs in', 'connections'],
  ...databaseRoles.map(({ name, level, signsIn, replicates, connections, isServer }) => [
    name,
    [levelWords[level], replicates && 'copies the database', isServer && 'is the account of this console']
      .filter(Boolean)
      .join('; '),
    signsIn ? 'yes' : 'no',
    String(connections),
  ]),
]

export const accessCommands = [
  defineCommand(
    'access list',
    'all that can act or read here: operators, invitations, platform keys, endpoints, database roles, and how sign-in is set',
    ({ json }) =>
      async (ctx) => {
        const report = await readAccess(ctx)
        return json ? JSON.stringify(report, null, 2) : formatReport(report)
      },
    { json: 'the same for a program' },
  ),
]
