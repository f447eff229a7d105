import { useEffect, useState } from 'react'

let closeOpenOne: (() => void) | undefined

/** Whether a popover is open. Opening one closes any other, also where it opens by hover. */
export function usePopover(isOpenAtFirst = false) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  useEffect(() => {
    if (!isOpen) return
    const close = () => setOpen(false)
    closeOpenOne?.()
    closeOpenOne = close
    return () => {
      if (closeOpenOne === close) closeOpenOne = undefined
    }
  }, [isOpen])
  return [isOpen, setOpen] as const
}
