import { cn } from '#web/lib/cn.ts'

/** The key that does the same as its button. Hidden on narrow screens, which have no keyboard. */
export const KeyHint = ({ children, onAccent = false }: { children: string; onAccent?: boolean }) => (
  <kbd aria-hidden className={cn('max-roomy:hidden!', onAccent && 'border-current! bg-transparent! text-current!')}>
    {children}
  </kbd>
)
