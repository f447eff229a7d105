import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { TokenKind } from '#contract/token-kinds.ts'
import { missingTokenFields, tokenKindLabels, tokenRoutes } from '#contract/tokens.ts'
import { call, isUnauthorized, describeError } from '#web/api.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { readProblems, type Problems } from '#web/changes/use-change.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { refetchTokens } from './queries.ts'
import { TokenFields } from './token-fields.tsx'
import { isIncomplete, emptyDraft, buildPayload, findProblems, type TokenDraft } from './token-form.ts'
import { describeToken } from './columns.tsx'

/** Product 9.5, Add token. A refusal stands beside its field, and what was typed stays. */
export default function AddTokenDialog({ kind, onClose }: { kind: TokenKind; onClose: () => void }) {
  const [typed, setTyped] = useState(emptyDraft)
  const [problems, setProblems] = useState<Problems>({})
  const fields = useRef<HTMLDivElement>(null)
  const [refusal, setRefusal] = useState<string | null>(null)

  /** Shows the problems and focuses the first wrong field. */
  function showProblems(found: Problems, elsewhere: string | null) {
    flushSync(() => {
      setProblems(found)
      setRefusal(elsewhere)
    })
    fields.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }
  const add = useAddToken(kind, {
    onAdded: onClose,
    onRefused: (error) => {
      const found = readProblems(error)
      showProblems(found, Object.keys(found).some((field) => field in typed) ? null : describeError(error))
    },
  })
  const need = useApprovalNeed('create_token')
  function submit() {
    const payload = buildPayload(kind, typed)
    const found = findProblems(payload)
    showProblems(found, null)
    if (isIncomplete(payload))
      toast({ tone: 'destructive', title: missingTokenFields.title, description: missingTokenFields.text })
    if (Object.keys(found).length === 0) add.mutate(payload)
  }
  const takeChange = (changed: Partial<TokenDraft>) => {
    setTyped((now) => ({ ...now, ...changed }))
    setProblems((now) => ({ ...now, ...Object.fromEntries(Object.keys(changed).map((field) => [field, undefined])) }))
  }
  return (
    <FormDialog
      title="Add Token"
      description={`Listed under ${tokenKindLabels[kind]} and sent to the platform.`}
      action={need.nameAction({ label: 'Add Token', icon: Plus })}
      onSubmit={submit}
      onClose={onClose}
      pending={add.isPending}
      refusal={refusal}
    >
      <ApprovalNote need={need} />
      <div ref={fields} className="grid grid-cols-2 gap-x-3 gap-y-4">
        <TokenFields kind={kind} form={{ typed, problems, onChange: takeChange }} />
      </div>
    </FormDialog>
  )
}

interface AddTokenHandlers {
  onAdded: () => void
  onRefused: (error: Error) => void
}

function useAddToken(kind: TokenKind, { onAdded, onRefused }: AddTokenHandlers) {
  const client = useQueryClient()
  return useSingleMutation({
    mutationFn: (body: ReturnType<typeof buildPayload>) => call(tokenRoutes.create, { params: { kind }, body }),
    onSuccess: async ({ token }) => {
      toast({ tone: 'success', title: 'Token created successfully', description: describeToken(token) })
      await refetchTokens(client)
      onAdded()
    },
    onSent: onAdded,
    failure: 'Failed to create token',
    onError: (error) => !isUnauthorized(error) && onRefused(error),
  })
}
