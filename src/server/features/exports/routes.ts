import type { FastifyInstance, FastifyReply } from 'fastify'
import { exportRoutes, type ExportName } from '#contract/exports.ts'
import { describeMissing } from '#contract/permission-labels.ts'
import { listPermissions } from '#contract/permissions.ts'
import type { QueryOf } from '#contract/route.ts'
import { exportSchemas } from '#contract/schemas/exports.ts'
import { type Ctx, hasPermission } from '#server/core/context.ts'
import { sendCsv } from '#server/http/csv.ts'
import { pickRows, platformIds, rowIds } from '#server/db/list-rows.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { mount } from '#server/http/mount.ts'
import {
  step2Sheet,
  step3Sheet,
  step4Sheet,
  submissionSheet,
  verificationSheet,
  webhookLogSheet,
} from './kyc-sheets.ts'
import { chooseAllocationSheet, chooseLineSheet, importSheet, statementSheet } from './bank-sheets.ts'
import { messageSheet, eventSheet, logSheet, noteSheet } from './security-sheets.ts'
import {
  chainTransactionSheet,
  orderSheet,
  platformTransactionSheet,
  tokenSheet,
  memberSheet,
} from './platform-sheets.ts'
import { Exports } from './exports.ts'
import type { Sheet } from './sheet.ts'

type QueryOfExport<Name extends ExportName> = QueryOf<(typeof exportRoutes)[Name]>
/** The query may choose another sheet. */
type SheetOf<Name extends ExportName> =
  | Sheet<QueryOfExport<Name>>
  | ((query: QueryOfExport<Name>) => Sheet<QueryOfExport<Name>>)

export const sheets: { [Name in ExportName]: SheetOf<Name> } = {
  users: memberSheet,
  orders: orderSheet,
  bankLines: chooseLineSheet,
  bankAllocations: chooseAllocationSheet,
  bankStatements: statementSheet,
  bankImports: importSheet,
  notes: noteSheet,
  earningTokens: tokenSheet('earning'),
  fractionsTokens: tokenSheet('fractions'),
  chainTransactions: chainTransactionSheet,
  platformTransactions: platformTransactionSheet,
  submissions: submissionSheet,
  verifications: verificationSheet,
  step2: step2Sheet,
  step3: step3Sheet,
  step4: step4Sheet,
  webhookLogs: webhookLogSheet,
  messages: messageSheet,
  securityEvents: eventSheet,
  adminLogs: logSheet,
}

const chooseSheet = <Name extends ExportName>(
  given: SheetOf<Name>,
  query: QueryOfExport<Name>,
): Sheet<QueryOfExport<Name>> => (typeof given === 'function' ? given(query) : given)

// A name that is only known later has a sheet and a query that fit each other.
const sheetOf = (name: ExportName) => sheets[name] as SheetOf<ExportName>

const listHidden = (ctx: Ctx, list: ExportName) =>
  listPermissions(exportRoutes[list].access).filter((permission) => !hasPermission(ctx, permission))

/** The query of an export, as its link has it. Throws invalid, as the export would. */
function parseFilters<Name extends ExportName>(name: Name, filters = ''): QueryOfExport<Name> {
  const given = Object.fromEntries([...new URLSearchParams(filters)].filter(([, value]) => value !== ''))
  const parsed = exportSchemas[name].query.safeParse(given)
  if (!parsed.success) throw invalidField('filters', 'must be the query of the export')
  return parsed.data as QueryOfExport<Name>
}

export function registerExportRoutes(app: FastifyInstance): void {
  const exports = new Exports()
  // Runs before connections and database close, so that aborted exports are recorded.
  app.addHook('preClose', () => exports.close())

  mount(app, exportRoutes.ready, async (ctx, { query: { list, filters } }) => {
    if (list && listHidden(ctx, list).length === 0) await requireStart(ctx, list, sheetOf(list), filters)
    else exports.requireCapacity()
  })

  async function requireStart<Name extends ExportName>(ctx: Ctx, list: Name, given: SheetOf<Name>, filters?: string) {
    const query = parseFilters(list, filters)
    await exports.requireStart(ctx, list, chooseSheet(given, query), query)
  }

  async function send<Query>(ctx: Ctx, reply: FastifyReply, list: ExportName, sheet: Sheet<Query>, query: Query) {
    const stop = new AbortController()
    reply.raw.once('close', () => stop.abort(new AppError('invalid', 'The client has left')))
    const { fileName, content } = await exports.start(ctx, { list, sheet, query }, stop)
    return sendCsv(reply, fileName, content)
  }

  mount(app, exportRoutes.chosen, async (ctx, { body: { list, ids }, reply }) => {
    const missing = listHidden(ctx, list)
    if (missing.length > 0) throw new AppError('forbidden', describeMissing(missing))
    const sheet = chooseSheet(sheetOf(list), {})
    const rows = pickRows(sheet.buildList({}), list === 'users' ? platformIds : rowIds, ids)
    return send(ctx, reply, list, { ...sheet, buildList: () => rows }, { chosen: ids.length })
  })

  function mountExport<Name extends ExportName>(name: Name, given: SheetOf<Name>) {
    mount(app, exportRoutes[name], async (ctx, { query, request, reply }) => {
      // A HEAD has no body, so nothing is read.
      if (request.method === 'HEAD') return reply.type('text/csv; charset=utf-8').send()
      return send(ctx, reply, name, chooseSheet(given, query), query)
    })
  }
  // Object.keys only knows that they are strings.
  for (const name of Object.keys(sheets) as ExportName[]) mountExport(name, sheetOf(name))
}
