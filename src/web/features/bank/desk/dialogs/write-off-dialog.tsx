import { useQuery } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { useState } from 'react'
import { writeOffCodeLabels, maxAllocationReason, type WriteOffCode } from '#contract/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { accountsQuery } from '#web/bank/queries.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { readKey } from '#web/lib/keys.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { writeOffCodesOf, suggestWriteOffCode } from './write-off-codes.ts'
import { type Apply, useLineNeed } from '#web/features/bank/desk/line/use-apply.ts'

interface CodeChoiceProps {
  codes: readonly WriteOffCode[]
  chosen: WriteOffCode | null
  onChoose: (code: WriteOffCode) => void
}

const focusInput = (input: HTMLInputElement | null) => input?.focus()

/** A digit chooses, as an arrow key does. What is chosen has the focus, since an arrow key chooses the neighbour of what has it; else the first. */
const CodeChoice = ({ codes, chosen, onChoose }: CodeChoiceProps) => (
  <fieldset className="min-w-0">
    <legend className="mb-1.5 text-13 font-medium">What it is</legend>
    <div className="grid gap-1">
      {codes.map((each, at) => (
        <label
          key={each}
          className="flex min-h-8 items-center gap-2.5 rounded-m px-2 text-13 hover:bg-hover has-checked:bg-accent-soft max-md:min-h-10"
        >
          <input
            ref={each === (chosen ?? codes[0]) ? focusInput : undefined}
            type="radio"
            name="code"
            checked={each === chosen}
            onChange={() => onChoose(each)}
            onKeyDown={(event) => {
              const code = codes[Number(readKey(event)) - 1]
              if (code) onChoose(code)
            }}
            className="size-4 shrink-0 accent-(--accent)"
          />
          <span className="min-w-0 flex-1">{writeOffCodeLabels[each]}</span>
          <kbd aria-hidden className="max-roomy:hidden!">
            {at + 1}
          </kbd>
        </label>
      ))}
    </div>
  </fieldset>
)

interface WriteOffDialogProps {
  line: BankLine
  open: string
  apply: Apply
  onClose: () => void
}

/** Puts a line aside that is for no order. A digit chooses why, Enter confirms. */
export default function WriteOffDialog({ line, open, apply, onClose }: WriteOffDialogProps) {
  const ownAccounts = useQuery(accountsQuery()).data?.accounts.map(({ account }) => account) ?? []
  const [code, setCode] = useState(() => suggestWriteOffCode(line, ownAccounts))
  const [reason, setReason] = useState('')
  const need = useLineNeed(line)
  const submit = () => {
    if (code !== null) apply.send([{ purpose: 'ignored', amount: open, code }], reason.trim() || null)
  }
  return (
    <FormDialog
      title={`Put ${formatAmount(open)} ${line.currency} aside?`}
      description="It is for no order. It can be undone from the line’s history."
      action={need.nameAction({ label: 'Put Aside', icon: Archive, disabled: apply.mustReload || code === null })}
      onSubmit={submit}
      onClose={onClose}
      pending={apply.isPending}
      refusal={apply.refusal}
    >
      <ApprovalNote need={need} />
      <CodeChoice codes={writeOffCodesOf[line.direction]} chosen={code} onChoose={setCode} />
      <TextField
        label="Note"
        optional
        className="mt-4"
        dir="auto"
        maxLength={maxAllocationReason}
        value={reason}
        onType={setReason}
      />
      <ConflictHelp conflict={apply.conflict}>Reloaded. You can decide now.</ConflictHelp>
    </FormDialog>
  )
}
