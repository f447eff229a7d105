import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { IconButton } from './icon-button.tsx'
import { Input } from './input.tsx'

interface PasswordInputProps extends Omit<ComponentProps<typeof Input>, 'type'> {
  /** What is typed, for the button that shows it: "new password". */
  what: string
}

/** A password field that can be pasted into and shown. */
export function PasswordInput({ what, className, ...rest }: PasswordInputProps) {
  const [isShown, setShown] = useState(false)
  return (
    <span className="relative block">
      <Input
        {...rest}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className={cn('pr-9', className)}
      />
      <span className="absolute top-1/2 right-1.5 grid -translate-y-1/2">
        <IconButton tiny label={isShown ? `Hide ${what}` : `Show ${what}`} onClick={() => setShown(!isShown)}>
          {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        </IconButton>
      </span>
    </span>
  )
}
