import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './field.tsx'
import { Select } from './select.tsx'

interface SelectFieldProps extends Omit<FieldProps, 'children'> {
  onChoose: (value: string) => void
}

/** A label and its list of choices. */
export function SelectField(
  props: SelectFieldProps & Omit<ComponentProps<typeof Select>, keyof SelectFieldProps | 'onChange'>,
) {
  const { label, error, hint, optional, className, onChoose, ...select } = props
  return (
    <Field {...{ label, error, hint, optional, className }}>
      {(control) => (
        <Select {...control} {...select} onChange={({ target }) => onChoose(target.value)} className="w-full" />
      )}
    </Field>
  )
}
