import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { describeError } from '#web/api.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'

class BlockedWindowError extends Error {}

/** Opens a window while the press still permits one, and leads it to the provider when its address is known. */
async function openAtProvider(begin: () => Promise<{ url: string }>): Promise<void> {
  const opened = window.open('', '_blank')
  if (!opened) throw new BlockedWindowError()
  opened.opener = null
  try {
    opened.location.replace((await begin()).url)
  } catch (error) {
    opened.close()
    throw error
  }
}

interface ProviderWindowButtonProps extends Pick<ButtonProps, 'variant'> {
  label: string
  begin: () => Promise<{ url: string }>
}

/** Leads to the provider in a window of its own, so that what is open here stays. */
export function ProviderWindowButton({ label, begin, variant = 'primary' }: ProviderWindowButtonProps) {
  // Each press opens another window, since the one before may have been closed.
  const open = useMutation({ mutationFn: () => openAtProvider(begin) })
  const { error, isSuccess } = open
  const problem =
    error instanceof BlockedWindowError
      ? 'The browser has blocked the window. Allow it and try again.'
      : error && describeError(error)
  return (
    <div>
      <Button variant={variant} size="large" loading={open.isPending} onClick={() => open.mutate()} className="w-full">
        <ExternalLink aria-hidden />
        {label}
      </Button>
      <FieldError>{problem}</FieldError>
      {isSuccess && <output className="mt-2 block text-13 text-quiet">Go on in the window that has opened.</output>}
    </div>
  )
}
