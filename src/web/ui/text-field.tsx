import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './field.tsx'
import { Input, Textarea } from './input.tsx'

interface TypedFieldProps extends Omit<FieldProps, 'children'> {
  value: string
  onType: (text: string) => void
  inputClassName?: string
}
type OwnProps = keyof TypedFieldProps | 'onChange' | 'children'

/** For names and numbers, which a browser neither completes nor corrects. */
export const plainText = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

/** A label and its field for one line of text. */
export function TextField(props: TypedFieldProps & Omit<ComponentProps<'input'>, OwnProps>) {
  const { label, error, hint, optional, className, inputClassName, onType, ...input } = props
  return (
    <Field {...{ label, error, hint, optional, className }}>
      {(control) => (
        <Input {...control} {...input} onChange={({ target }) => onType(target.value)} className={inputClassName} />
      )}
    </Field>
  )
}

/** A label and its field for several lines that an operator writes, such as a reason. */
export function LongTextField(props: TypedFieldProps & Omit<ComponentProps<'textarea'>, OwnProps>) {
  const { label, error, hint, optional, className, inputClassName, onType, ...input } = props
  return (
    <Field {...{ label, error, hint, optional, className }}>
      {(control) => (
        <Textarea
          {...control}
          dir="auto"
          {...input}
          onChange={({ target }) => onType(target.value)}
          className={inputClassName}
        />
      )}
    </Field>
  )
}
