import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { TokenKind } from '#contract/token-kinds.ts'
import { defaultLogos, longestSymbol, missingTokenFields, tokenKindLabels, tokenRoutes } from '#contract/tokens.ts'
import { call, describeChangeFailure, isUnauthorized, describeError } from '#web/api.ts'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
import { ChainHint } from './chain-hint.tsx'
import { refetchTokens } from './queries.ts'
import {
  isIncomplete,
  emptyDraft,
  buildPayload,
  readProblems,
  findProblems,
  type Problems,
  type TokenDraft,
} from './token-form.ts'
import { describeToken } from './describe-token.ts'

type TextField = Exclude<keyof TokenDraft, 'isActive'>
const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

/** Product 9.5, Add token. A refusal stands beside its field, and what was typed stays. */
export default function AddTokenDialog({ kind, onClose }: { kind: TokenKind; onClose: () => void }) {
  const client = useQueryClient()
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

  const add = useMutation({
    mutationFn: (body: ReturnType<typeof buildPayload>) => call(tokenRoutes.create, { params: { kind }, body }),
    onSuccess: async ({ token }) => {
      toast({ tone: 'success', title: 'Token created successfully', description: describeToken(token) })
      await refetchTokens(client)
      onClose()
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({
        tone: 'destructive',
        title: 'Error',
        description: describeChangeFailure(error, 'Failed to create token'),
      })
      const found = readProblems(error)
      showProblems(found, Object.keys(found).some((field) => field in typed) ? null : describeError(error))
    },
  })
  function submit() {
    const payload = buildPayload(kind, typed)
    const found = findProblems(payload)
    showProblems(found, null)
    if (isIncomplete(payload))
      toast({ tone: 'destructive', title: missingTokenFields.title, description: missingTokenFields.text })
    if (Object.keys(found).length === 0) add.mutate(payload)
  }
  const take = (taken: Partial<TokenDraft>) => {
    setTyped((now) => ({ ...now, ...taken }))
    setProblems((now) => ({ ...now, ...Object.fromEntries(Object.keys(taken).map((field) => [field, undefined])) }))
  }
  const bindField = (field: TextField) => ({
    ...plain,
    value: typed[field],
    onChange: ({ target }: { target: HTMLInputElement }) => {
      setTyped((now) => ({ ...now, [field]: target.value }))
      setProblems((now) => ({ ...now, [field]: undefined }))
    },
  })
  return (
    <FormDialog
      title="Add Token"
      description={`Listed under ${tokenKindLabels[kind]} and sent to the platform.`}
      action={{ label: 'Add Token', icon: Plus }}
      onSubmit={submit}
      onClose={onClose}
      pending={add.isPending}
      refusal={refusal}
    >
      <div ref={fields} className="grid grid-cols-2 gap-x-3 gap-y-4">
        <Field label="Project Name" error={problems.projectName} className="col-span-2">
          {(control) => <Input {...control} {...bindField('projectName')} maxLength={100} dir="auto" />}
        </Field>
        <Field label="Token Symbol" error={problems.tokenSymbol}>
          {(control) => (
            <Input
              {...control}
              {...bindField('tokenSymbol')}
              maxLength={longestSymbol}
              placeholder="SOLR"
              className="uppercase"
            />
          )}
        </Field>
        <Field label="Decimals" error={problems.decimals}>
          {(control) => <Input {...control} {...bindField('decimals')} inputMode="numeric" maxLength={4} />}
        </Field>
        <div className="col-span-2">
          <Field label="Contract Address" error={problems.contractAddress} className="mb-1.5">
            {(control) => (
              <Input {...control} {...bindField('contractAddress')} placeholder="0x…" className="font-mono" />
            )}
          </Field>
          <ChainHint typed={typed} onTake={take} />
        </div>
        <Field
          label="Logo"
          optional
          error={problems.logo}
          hint={`An emoji; ${defaultLogos[kind]} when left empty.`}
          className="col-span-2"
        >
          {(control) => <Input {...control} {...bindField('logo')} placeholder={defaultLogos[kind]} className="w-24" />}
        </Field>
        <Field label="Project Website" optional error={problems.projectLink} className="col-span-2">
          {(control) => (
            <Input {...control} {...bindField('projectLink')} inputMode="url" maxLength={2048} placeholder="https://" />
          )}
        </Field>
        <label className="col-span-2 flex items-center gap-2 text-13 font-medium">
          <input
            type="checkbox"
            checked={typed.isActive}
            onChange={({ target }) => setTyped((now) => ({ ...now, isActive: target.checked }))}
            className="size-4 accent-(--accent)"
          />
          Active
        </label>
      </div>
    </FormDialog>
  )
}
