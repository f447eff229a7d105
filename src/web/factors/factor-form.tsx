import { KeyRound } from 'lucide-react'
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import type { StepUpMethod } from '#contract/factors.ts'
import type { PasskeyRequestOptions } from '#contract/schemas/passkeys.ts'
import type { StepUp } from '#contract/schemas/auth.ts'
import { describeError, isUnauthorized } from '#web/api.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import { Field, FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Note } from '#web/ui/note.tsx'
import { askForPasskey, describePasskeyFailure } from './passkeys.ts'

type FormMethod = Exclude<StepUpMethod, 'oidc'>
type TypedMethod = Exclude<FormMethod, 'passkey'>
type GivenProof = { method: 'passkey' } | { method: TypedMethod; typed: string }

interface FactorFormProps {
  /** What is taken. */
  methods: readonly FormMethod[]
  /** Why the operator's passkeys are not among them. */
  passkeyProblem?: string | undefined
  /** Fetches a challenge, which is valid once. */
  fetchChallenge: () => Promise<{ passkey: PasskeyRequestOptions | null }>
  /** Sends what was given. The form stays until this has succeeded. */
  send: (proof: StepUp) => Promise<unknown>
  /** Called where the time to give a factor is over. */
  onExpired?: () => void
  /** The button for what is typed: "Verify". */
  action: string
  /** In a dialog the buttons stand in its footer. */
  dialog?: { head: ReactNode; onCancel: () => void }
}

const typedMethods: Record<TypedMethod, { label: string; hint?: string; input: object }> = {
  totp: {
    label: 'Code',
    hint: 'The 6 digits that your authenticator app shows now.',
    input: { name: 'code', inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 20 },
  },
  recovery: {
    label: 'Recovery code',
    hint: 'One of the codes that you kept. Each works once.',
    input: { name: 'recovery-code', autoComplete: 'off', maxLength: 60 },
  },
  password: {
    label: 'Password',
    input: { name: 'password', type: 'password', autoComplete: 'current-password', maxLength: 200 },
  },
}

/** Sends what was given, and describes a refusal beside what it is about. */
function useProof({ fetchChallenge, send, onExpired }: FactorFormProps, typedMethod: TypedMethod | undefined) {
  const proof = useSingleMutation({
    mutationFn: async (given: GivenProof) => {
      if (given.method === 'password') return send({ method: 'password', password: given.typed })
      if (given.method !== 'passkey') return send({ method: given.method, code: given.typed.trim() })
      const { passkey } = await fetchChallenge()
      if (!passkey) throw new Error('no passkey is offered')
      return send({ method: 'passkey', response: await askForPasskey(passkey) })
    },
    onError: (error) => {
      if (isUnauthorized(error)) onExpired?.()
    },
  })
  const { variables: given, error, isPending } = proof
  const problem = error && (describePasskeyFailure(error) ?? describeError(error))
  return {
    give: proof.mutate,
    passkeyError: given?.method === 'passkey' ? problem : null,
    typedError: given && given.method === typedMethod ? problem : null,
    isAskingPasskey: isPending && given?.method === 'passkey',
    isSendingTyped: isPending && given?.method !== 'passkey',
  }
}

/** Gives the first control the focus when it appears. */
function FocusFirst({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector<HTMLElement>('button, input')?.focus(), [])
  return (
    <div ref={place} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {children}
    </div>
  )
}

/**
 * Asks for a factor: the passkey first, then a code or the password, and a recovery code where the others are not at
 * hand. The part that is used first has the focus.
 */
export default function FactorForm(props: FactorFormProps) {
  const { methods, passkeyProblem, action, dialog } = props
  const formId = useId()
  const [isRecovering, setRecovering] = useState(methods.every((method) => method === 'recovery'))
  const hasPasskey = methods.includes('passkey') && !isRecovering
  const typedMethod = isRecovering ? 'recovery' : (['totp', 'password'] as const).find((each) => methods.includes(each))
  const { give, passkeyError, typedError, isAskingPasskey, isSendingTyped } = useProof(props, typedMethod)
  const button = typedMethod && (
    <Button
      type="submit"
      form={formId}
      variant={hasPasskey ? 'default' : 'primary'}
      loading={isSendingTyped}
      {...(!dialog && { size: 'large', className: 'w-full' })}
    >
      {action}
    </Button>
  )
  const parts = (
    <FocusFirst key={String(isRecovering)}>
      {hasPasskey && (
        <div>
          <Button
            variant="primary"
            size="large"
            loading={isAskingPasskey}
            onClick={() => give({ method: 'passkey' })}
            className="w-full"
          >
            <KeyRound aria-hidden />
            Use Passkey
          </Button>
          <FieldError>{passkeyError}</FieldError>
        </div>
      )}
      {passkeyProblem && <Note tone="warning">{passkeyProblem}</Note>}
      {hasPasskey && typedMethod && <Divider>or</Divider>}
      {typedMethod && (
        <TypedProof
          key={typedMethod}
          id={formId}
          method={typedMethod}
          error={typedError}
          onGive={(typed) => give({ method: typedMethod, typed })}
        />
      )}
      {!dialog && button}
      <OtherWay {...{ methods, isRecovering }} onChoose={setRecovering} />
    </FocusFirst>
  )
  return dialog ? <DialogParts {...dialog} {...{ parts, button }} /> : parts
}

interface DialogPartsProps extends NonNullable<FactorFormProps['dialog']> {
  parts: ReactNode
  button: ReactNode
}

const DialogParts = ({ head, parts, button, onCancel }: DialogPartsProps) => (
  <>
    <DialogBody>
      {head}
      {parts}
    </DialogBody>
    <DialogFooter>
      <Button onClick={onCancel}>Cancel</Button>
      {button}
    </DialogFooter>
  </>
)

const Divider = ({ children }: { children: ReactNode }) => (
  <p className="flex items-center gap-3 text-12 text-quiet before:flex-1 before:border-t after:flex-1 after:border-t">
    {children}
  </p>
)

interface OtherWayProps {
  methods: readonly FormMethod[]
  isRecovering: boolean
  onChoose: (isRecovering: boolean) => void
}

/** Leads to the recovery codes and back, where there are both. */
function OtherWay({ methods, isRecovering, onChoose }: OtherWayProps) {
  if (!methods.includes('recovery') || methods.length === 1) return null
  return (
    <Button variant="ghost" onClick={() => onChoose(!isRecovering)} className="justify-self-center">
      {isRecovering ? 'Use Another Way' : 'Use a Recovery Code'}
    </Button>
  )
}

interface TypedProofProps {
  id: string
  method: TypedMethod
  error: string | null
  onGive: (typed: string) => void
}

/** The field is uncontrolled, so that neither code nor password is in our state. */
function TypedProof({ id, method, error, onGive }: TypedProofProps) {
  const field = useRef<HTMLInputElement>(null)
  const [isMissing, setMissing] = useState(false)
  const { label, hint, input } = typedMethods[method]
  useEffect(() => {
    if (error) field.current?.select()
  }, [error])
  function submit(event: FormEvent) {
    event.preventDefault()
    const typed = field.current?.value ?? ''
    setMissing(typed.trim() === '')
    if (typed.trim() === '') field.current?.focus()
    else onGive(typed)
  }
  return (
    <form id={id} noValidate onSubmit={submit}>
      <Field label={label} hint={hint} error={isMissing ? 'Required' : error}>
        {(control) => (
          <Input
            {...control}
            {...input}
            ref={field}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className="h-10! text-14 tabular-nums"
          />
        )}
      </Field>
    </form>
  )
}
