import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { bankTexts, statementFileLimits } from '#contract/bank.ts'
import type { BankAccount } from '#contract/schemas/bank.ts'
import type { CsvProfileNeeded } from '#contract/schemas/csv-profile.ts'
import { ApiError, describeChangeRefusal } from '#web/api.ts'
import { refetchBank } from '#web/bank/queries.ts'
import { uploadStatement, UploadError, type ImportReply } from './upload.ts'

/** What has become of a file. */
export type ImportState =
  /** The operator chooses the account of a CSV file. The refusal of the one that was chosen stays to be read. */
  | { step: 'account'; refusal?: string }
  | { step: 'waiting' }
  /** `sent` is the share of it that the server has. */
  | { step: 'sending'; sent: number }
  | { step: 'done'; reply: ImportReply }
  | { step: 'columns'; needed: CsvProfileNeeded }
  | { step: 'refused'; message: string; isKnown: boolean; isRepeatable: boolean; unknownAccount?: NamedAccount }

/** An account as a file names it. */
export type NamedAccount = Pick<BankAccount, 'account' | 'currency'>

export interface FileImport {
  id: number
  file: File
  /** Empty: the file names it. */
  accountId: string
  /** Rows to be taken although equal lines are known, and what the file's import has answered before. */
  taking?: { rows: number[]; before: ImportReply }
  state: ImportState
}

const isTable = ({ name }: File) => /\.(csv|tsv)$/i.test(name)

/** Whether a refusal asks for the account of a file that turned out to be CSV. */
function needsAccount(error: unknown): boolean {
  const details = error instanceof ApiError ? error.reply?.details : undefined
  return Array.isArray(details) && details.some((each: { field?: unknown }) => each.field === 'accountId')
}

type RefusedImport = Extract<ImportState, { step: 'refused' }>

const refuse = (message: string, more: Partial<Omit<RefusedImport, 'step' | 'message'>> = {}): ImportState => ({
  step: 'refused',
  message,
  isKnown: false,
  isRepeatable: true,
  ...more,
})

function startState(file: File): ImportState {
  if (file.size > statementFileLimits.bytes) return refuse(bankTexts.fileTooLarge, { isRepeatable: false })
  return { step: isTable(file) ? 'account' : 'waiting' }
}

/** The details of `csv_profile_needed`, which the contract declares. */
export function readNeeded(error: unknown): CsvProfileNeeded | null {
  if (!(error instanceof ApiError) || error.reply?.code !== 'csv_profile_needed') return null
  return error.reply.details as unknown as CsvProfileNeeded
}

function readFailure(error: unknown, hadAccount: boolean): ImportState {
  const needed = readNeeded(error)
  if (needed) return { step: 'columns', needed }
  if (needsAccount(error)) return { step: 'account', ...(hadAccount && { refusal: describeChangeRefusal(error) }) }
  if (error instanceof UploadError) return refuse(error.message)
  const reply = error instanceof ApiError ? error.reply : undefined
  const unknownAccount = Array.isArray(reply?.details) ? undefined : reply?.details?.unknownAccount
  return refuse(describeChangeRefusal(error), {
    isKnown: reply?.code === 'file_imported',
    ...(unknownAccount && { unknownAccount }),
  })
}

/** The answer to taken rows tells nothing of the others. */
const addTaken = (reply: ImportReply, { rows, before }: NonNullable<FileImport['taking']>): ImportReply => ({
  ...reply,
  unreadable: before.unreadable,
  warnings: before.warnings,
  knownLines: before.knownLines.filter(({ row }) => !rows.includes(row)),
})

const startAgain = (given: FileImport, { id }: BankAccount): FileImport => ({
  ...given,
  accountId: given.state.step === 'account' ? id : given.accountId,
  state: { step: 'waiting' },
})

let lastId = 0

/** Imports files one after the other. `files` only grows. */
export function useFileImports(files: File[], chosen: BankAccount | undefined) {
  const client = useQueryClient()
  const [imports, setImports] = useState<FileImport[]>([])
  const taken = useRef(0)
  const sending = useRef<AbortController>(null)
  const update = (id: number, changed: Partial<FileImport>) =>
    setImports((now) => now.map((each) => (each.id === id ? { ...each, ...changed } : each)))
  const upload = useMutation({ mutationFn: uploadStatement })

  const add = useEffectEvent((added: File[]) => {
    const begun = added.map((file) => ({
      id: ++lastId,
      file,
      accountId: isTable(file) ? (chosen?.id ?? '') : '',
      state: startState(file),
    }))
    setImports((now) => [...now, ...begun])
  })
  useEffect(() => {
    const added = files.slice(taken.current)
    taken.current = files.length
    if (added.length > 0) add(added)
  }, [files])

  const send = useEffectEvent(async ({ id, file, accountId, taking }: FileImport) => {
    const stop = new AbortController()
    sending.current = stop
    update(id, { state: { step: 'sending', sent: 0 } })
    const onProgress = (sent: number) => update(id, { state: { step: 'sending', sent } })
    const account = accountId || undefined
    const given = { file, accountId: account, takeRows: taking?.rows, signal: stop.signal, onProgress }
    let state: ImportState
    try {
      const reply = await upload.mutateAsync(given)
      state = { step: 'done', reply: taking ? addTaken(reply, taking) : reply }
      void refetchBank(client)
    } catch (error) {
      state = readFailure(error, accountId !== '')
    }
    sending.current = null
    update(id, { state })
  })
  useEffect(() => {
    const next = imports.find(({ state }) => state.step === 'waiting')
    if (next && !sending.current) void send(next)
  }, [imports])

  return {
    imports,
    chooseAccount: (id: number, accountId: string) => update(id, { accountId }),
    start: (id: number) => update(id, { state: { step: 'waiting' } }),
    /** Reads a file again once its account is there. A file that names its account needs none. */
    startWith: (id: number, account: BankAccount) =>
      setImports((now) => now.map((each) => (each.id === id ? startAgain(each, account) : each))),
    take: (id: number, rows: number[], before: ImportReply) =>
      update(id, { taking: { rows, before }, state: { step: 'waiting' } }),
    remove: (id: number) => setImports((now) => now.filter((each) => each.id !== id)),
    stop: () => sending.current?.abort(),
  }
}
export type ImportActions = Omit<ReturnType<typeof useFileImports>, 'imports'>
