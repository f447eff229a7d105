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

export function exportsDoor(app: FastifyInstance): void {
  const exports = new Exports()
  // Before the connections are cut and the database goes: what breaks off is recorded there.
  app.addHook('preClose', () => exports.close())

  mount(app, exportRoutes.ready, async () => exports.requirePlace())

  function serve<Name extends ExportName>(name: Name, sheet: Sheet<QueryOf<(typeof exportRoutes)[Name]>>) {
    mount(app, exportRoutes[name], async (ctx, { query, request, reply }) => {
      // A HEAD has no body: nothing is read, and nothing leaves.
      if (request.method === 'HEAD') return reply.type('text/csv; charset=utf-8').send()
      const stop = new AbortController()
      reply.raw.once('close', () => stop.abort(new AppError('invalid', 'The client has left')))
      const { fileName, content } = await exports.begin(ctx, { list: name, sheet, query }, stop)
      return sendCsv(reply, fileName, content)
    })
  }
  serve('users', userSheet)
  serve('orders', orderSheet)
  serve('earningTokens', tokenSheet('earning'))
  serve('fractionsTokens', tokenSheet('fractions'))
  serve('chainTransactions', chainTransactionSheet)
  serve('platformTransactions', platformTransactionSheet)
  serve('submissions', submissionSheet)
  serve('verifications', verificationSheet)
  serve('step2', step2Sheet)
  serve('step3', step3Sheet)
  serve('step4', step4Sheet)
  serve('webhookLogs', webhookLogSheet)
  serve('deliveries', deliverySheet)
  serve('securityEvents', eventSheet)
  serve('adminLogs', logSheet)
}
