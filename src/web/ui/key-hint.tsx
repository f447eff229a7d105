import { cn } from '#web/lib/cn.ts'

/** The key that does the same as the button it stands in; where there is no room for a keyboard, there is none for it. */
export const KeyHint = ({ children, onAccent = false }: { children: string; onAccent?: boolean }) => (
  <kbd aria-hidden className={cn('max-roomy:hidden!', onAccent && 'border-current! bg-transparent! text-current!')}>
    {children}
  </kbd>
)
