import type { FastifyInstance } from 'fastify'
import { bankRoutes, bankTexts } from '#contract/bank.ts'
import { mount } from '#server/http/mount.ts'
import { acceptProblem, acceptUnreadable } from './statements/accept-problem.ts'
import { createAccount, listAccounts, updateAccount } from './statements/accounts.ts'
import { importStatementFile, openImportedFile } from './statements/import.ts'
import { registerStatementUpload } from './statements/upload.ts'
import { undoImport } from './statements/undo-import.ts'
import { checkUndoImport } from './statements/undo-obstacle.ts'
import { listLines } from './statements/lines.ts'
import { describeLinesRead } from './lines-read.ts'
import { listImports, listStatements } from './statements/statements.ts'

/** The name of a file in a header: plain for old programs, and whole. */
const attachmentNamed = (name: string) =>
  `attachment; filename="${name.replace(/[^\w .()-]/g, '_')}"; filename*=UTF-8''${encodeFileName(name)}`

const encodeFileName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

export function registerBankRoutes(app: FastifyInstance): void {
  mount(app, bankRoutes.accounts, async (ctx) => ({ accounts: await listAccounts(ctx) }))

  mount(app, bankRoutes.createAccount, async (ctx, { body }) => ({
    message: bankTexts.accountAdded,
    account: await createAccount(ctx, body),
  }))

  mount(app, bankRoutes.updateAccount, async (ctx, { params, body, ifMatch }) => ({
    message: bankTexts.accountSaved,
    account: await updateAccount(ctx, params.id, body, ifMatch),
  }))

  registerStatementUpload(app, bankRoutes.import, (ctx, file, options) => importStatementFile(ctx, file, options))

  mount(app, bankRoutes.imports, async (ctx, { query }) => listImports(ctx, query))

  mount(
    app,
    bankRoutes.checkUndoImport,
    async (ctx, { params }) => checkUndoImport(ctx, params.id),
    ({ lines }) => describeLinesRead(lines),
  )

  mount(app, bankRoutes.undoImport, async (ctx, { params, body }) => ({
    message: bankTexts.importUndone,
    import: await undoImport(ctx, params.id, body),
  }))

  mount(app, bankRoutes.acceptUnreadable, async (ctx, { params, body }) => ({
    message: bankTexts.unreadableAccepted,
    import: await acceptUnreadable(ctx, params.id, body),
  }))

  mount(app, bankRoutes.file, async (ctx, { params, reply }) => {
    const { fileName, bytes } = await openImportedFile(ctx, params.id)
    return reply
      .type('application/octet-stream')
      .header('content-length', bytes.length)
      .header('content-disposition', attachmentNamed(fileName))
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(bytes)
  })

  mount(
    app,
    bankRoutes.lines,
    async (ctx, { query }) => listLines(ctx, query),
    ({ lines }) => describeLinesRead(lines),
  )

  registerStatementRoutes(app)
}

function registerStatementRoutes(app: FastifyInstance): void {
  mount(app, bankRoutes.statements, async (ctx, { query }) => listStatements(ctx, query))

  mount(app, bankRoutes.acceptGap, async (ctx, { params, body }) => ({
    message: bankTexts.gapAccepted,
    statement: await acceptProblem(ctx, params.id, 'gap', body),
  }))

  mount(app, bankRoutes.acceptDifference, async (ctx, { params, body }) => ({
    message: bankTexts.differenceAccepted,
    statement: await acceptProblem(ctx, params.id, 'difference', body),
  }))
}
