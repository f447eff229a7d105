import { Moon, Sun } from 'lucide-react'
import { useStore } from '#web/lib/store.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { shownTheme, switchTheme } from './theme.ts'

export function ThemeToggle() {
  const isDark = useStore(shownTheme) === 'dark'
  return (
    <IconButton label={isDark ? 'Switch to light theme' : 'Switch to dark theme'} onClick={switchTheme}>
      {isDark ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </IconButton>
  )
}
