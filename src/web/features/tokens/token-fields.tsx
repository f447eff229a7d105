import type { ComponentProps } from 'react'
import type { TokenKind } from '#contract/token-kinds.ts'
import { defaultLogos, longestSymbol } from '#contract/tokens.ts'
import type { Problems } from '#web/changes/read-problems.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { ChainHint } from './chain-hint.tsx'
import type { TokenDraft } from './token-form.ts'

interface TokenForm {
  typed: TokenDraft
  problems: Problems
  onChange: (changed: Partial<TokenDraft>) => void
}

interface TextFieldProps extends Omit<ComponentProps<typeof Field>, 'error' | 'children'> {
  form: TokenForm
  name: Exclude<keyof TokenDraft, 'isActive'>
  input: ComponentProps<typeof Input>
}

const TextField = ({ form: { typed, problems, onChange }, name, input, ...field }: TextFieldProps) => (
  <Field {...field} error={problems[name]}>
    {(control) => (
      <Input
        {...control}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={typed[name]}
        onChange={({ target }) => onChange({ [name]: target.value })}
        {...input}
      />
    )}
  </Field>
)

/** Product 9.5, Add token. */
export const TokenFields = ({ kind, form }: { kind: TokenKind; form: TokenForm }) => (
  <>
    <TextField
      form={form}
      name="projectName"
      label="Project Name"
      className="col-span-2"
      input={{ maxLength: 100, dir: 'auto' }}
    />
    <TextField
      form={form}
      name="tokenSymbol"
      label="Token Symbol"
      input={{ maxLength: longestSymbol, placeholder: 'SOLR', className: 'uppercase' }}
    />
    <TextField form={form} name="decimals" label="Decimals" input={{ inputMode: 'numeric', maxLength: 4 }} />
    <div className="col-span-2">
      <TextField
        form={form}
        name="contractAddress"
        label="Contract Address"
        className="mb-1.5"
        input={{ placeholder: '0x…', className: 'font-mono' }}
      />
      <ChainHint typed={form.typed} onTake={form.onChange} />
    </div>
    <TextField
      form={form}
      name="logo"
      label="Logo"
      optional
      hint={`An emoji; ${defaultLogos[kind]} when left empty.`}
      className="col-span-2"
      input={{ placeholder: defaultLogos[kind], className: 'w-24' }}
    />
    <TextField
      form={form}
      name="projectLink"
      label="Project Website"
      optional
      className="col-span-2"
      input={{ inputMode: 'url', maxLength: 2048, placeholder: 'https://' }}
    />
    <label className="col-span-2 flex items-center gap-2 text-13 font-medium">
      <input
        type="checkbox"
        checked={form.typed.isActive}
        onChange={({ target }) => form.onChange({ isActive: target.checked })}
        className="size-4 accent-(--accent)"
      />
      Active
    </label>
  </>
)
