import { useEffect, useState } from 'react'

let closeOpenPopover: (() => void) | undefined

/** Whether a popover is open. Opening one closes any other, also on hover. */
export function usePopover(isOpenAtFirst = false) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  useEffect(() => {
    if (!isOpen) return
    const close = () => setOpen(false)
    closeOpenPopover?.()
    closeOpenPopover = close
    return () => {
      if (closeOpenPopover === close) closeOpenPopover = undefined
    }
  }, [isOpen])
  return [isOpen, setOpen] as const
}
