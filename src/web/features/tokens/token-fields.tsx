import type { ComponentProps } from 'react'
import type { TokenKind } from '#contract/token-kinds.ts'
import { defaultLogos, longestSymbol } from '#contract/tokens.ts'
import type { Problems } from '#web/changes/use-change.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { plainText, TextField } from '#web/ui/text-field.tsx'
import { ChainHint } from './chain-hint.tsx'
import type { TokenDraft } from './token-form.ts'

interface TokenForm {
  typed: TokenDraft
  problems: Problems
  onChange: (changed: Partial<TokenDraft>) => void
}

interface TokenFieldProps extends Omit<ComponentProps<typeof TextField>, 'error' | 'form' | 'value' | 'onType'> {
  form: TokenForm
  name: Exclude<keyof TokenDraft, 'isActive'>
}

const TokenField = ({ form: { typed, problems, onChange }, name, ...field }: TokenFieldProps) => (
  <TextField
    {...plainText}
    {...field}
    error={problems[name]}
    value={typed[name]}
    onType={(text) => onChange({ [name]: text })}
  />
)

/** Product 9.5, Add token. */
export const TokenFields = ({ kind, form }: { kind: TokenKind; form: TokenForm }) => (
  <>
    <TokenField form={form} name="projectName" label="Project Name" className="col-span-2" maxLength={100} dir="auto" />
    <TokenField
      form={form}
      name="tokenSymbol"
      label="Token Symbol"
      maxLength={longestSymbol}
      placeholder="SOLR"
      inputClassName="uppercase"
    />
    <TokenField form={form} name="decimals" label="Decimals" inputMode="numeric" maxLength={4} />
    <div className="col-span-2">
      <TokenField
        form={form}
        name="contractAddress"
        label="Contract Address"
        className="mb-1.5"
        placeholder="0x…"
        inputClassName="font-mono"
      />
      <ChainHint typed={form.typed} onTake={form.onChange} />
    </div>
    <TokenField
      form={form}
      name="logo"
      label="Logo"
      optional
      hint={`An emoji; ${defaultLogos[kind]} when left empty.`}
      className="col-span-2"
      placeholder={defaultLogos[kind]}
      inputClassName="w-24"
    />
    <TokenField
      form={form}
      name="projectLink"
      label="Project Website"
      optional
      className="col-span-2"
      inputMode="url"
      maxLength={2048}
      placeholder="https://"
    />
    <Checkbox
      className="col-span-2 font-medium"
      isChecked={form.typed.isActive}
      onChange={(isActive) => form.onChange({ isActive })}
    >
      Active
    </Checkbox>
  </>
)
