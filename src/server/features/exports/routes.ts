import type { FastifyInstance } from 'fastify'
import { exportRoutes, type ExportName } from '#contract/exports.ts'
import type { QueryOf } from '#contract/route.ts'
import { sendCsv } from '#server/http/csv.ts'
import { AppError } from '#server/lib/errors.ts'
import { mount } from '#server/http/mount.ts'
import {
  step2Sheet,
  step3Sheet,
  step4Sheet,
  submissionSheet,
  verificationSheet,
  webhookLogSheet,
} from './kyc-sheets.ts'
import { chooseBankSheet } from './bank-sheet.ts'
import { deliverySheet } from './delivery-sheet.ts'
import {
  chainTransactionSheet,
  orderSheet,
  platformTransactionSheet,
  tokenSheet,
  userSheet,
} from './platform-sheets.ts'
import { eventSheet, logSheet } from './security-sheets.ts'
import { Exports } from './exports.ts'
import type { Sheet } from './sheet.ts'

export function registerExportRoutes(app: FastifyInstance): void {
  const exports = new Exports()
  // Runs before connections and database close, so that aborted exports are recorded.
  app.addHook('preClose', () => exports.close())

  mount(app, exportRoutes.ready, async () => exports.requireCapacity())

  type SheetOf<Name extends ExportName> = Sheet<QueryOf<(typeof exportRoutes)[Name]>>

  /** The query may choose another sheet. */
  function mountExport<Name extends ExportName>(
    name: Name,
    given: SheetOf<Name> | ((query: QueryOf<(typeof exportRoutes)[Name]>) => SheetOf<Name>),
  ) {
    mount(app, exportRoutes[name], async (ctx, { query, request, reply }) => {
      // A HEAD has no body, so nothing is read.
      if (request.method === 'HEAD') return reply.type('text/csv; charset=utf-8').send()
      const sheet = typeof given === 'function' ? given(query) : given
      const stop = new AbortController()
      reply.raw.once('close', () => stop.abort(new AppError('invalid', 'The client has left')))
      const { fileName, content } = await exports.start(ctx, { list: name, sheet, query }, stop)
      return sendCsv(reply, fileName, content)
    })
  }
  mountExport('users', userSheet)
  mountExport('orders', orderSheet)
  mountExport('bankLines', chooseBankSheet)
  mountExport('earningTokens', tokenSheet('earning'))
  mountExport('fractionsTokens', tokenSheet('fractions'))
  mountExport('chainTransactions', chainTransactionSheet)
  mountExport('platformTransactions', platformTransactionSheet)
  mountExport('submissions', submissionSheet)
  mountExport('verifications', verificationSheet)
  mountExport('step2', step2Sheet)
  mountExport('step3', step3Sheet)
  mountExport('step4', step4Sheet)
  mountExport('webhookLogs', webhookLogSheet)
  mountExport('deliveries', deliverySheet)
  mountExport('securityEvents', eventSheet)
  mountExport('adminLogs', logSheet)
}
