import { useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { BankAccount, BankLine } from '#contract/schemas/bank.ts'
import { confirmLeave } from '#web/lib/unsaved.ts'
import { lineQuery } from '#web/features/bank/desk/queries.ts'
import { useSearchChange } from '#web/use-search-change.ts'

/** As the breakpoint `roomy`: list and line stand side by side. */
const query = '(min-width: 56.25rem)'

function subscribe(listener: () => void) {
  const media = window.matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)

/** Where a line stood in the list when it was opened, for one that has left it. */
interface LinePosition {
  id: string
  at: number
}

/**
 * The line that is open, which the address names. Beside the list the first one opens by itself; on a phone the list comes first,
 * and Back leads to it.
 */
export function useOpenLine(lines: readonly BankLine[] | undefined, isPrevious: boolean) {
  const changeSearch = useSearchChange()
  const { line: given }: { line?: unknown } = useSearch({ strict: false })
  const isWide = useIsWide()
  const openId = typeof given === 'string' && /^[1-9]\d{0,17}$/.test(given) ? given : undefined
  const wasMoved = useRef(false)
  const known = useRef<LinePosition>(undefined)
  const at = lines?.findIndex(({ id }) => id === openId) ?? -1
  useEffect(() => {
    if (openId !== undefined && at >= 0) known.current = { id: openId, at }
  }, [openId, at])

  const write = useCallback(
    (line: string | undefined, replace: boolean) => changeSearch({ line }, { replace }),
    [changeSearch],
  )
  /** Closes the line without a question: it is not of this list. */
  const close = useCallback(() => write(undefined, true), [write])
  const first = isWide && openId === undefined && !isPrevious ? lines?.[0]?.id : undefined
  useEffect(() => {
    if (first === undefined) return
    wasMoved.current = false
    write(first, true)
  }, [first, write])

  /** A line that has left the list stands where it was, before what is there now. */
  const findPlace = () => (at >= 0 ? at : known.current?.id === openId ? (known.current?.at ?? 0) - 0.5 : -0.5)
  const findNeighbour = (step: 1 | -1, isMeant: (line: BankLine) => boolean = () => true): string | undefined => {
    const place = findPlace()
    const others = (lines ?? []).filter(({ id }, index) => id !== openId && (index - place) * step > 0)
    return (step > 0 ? others : others.toReversed()).find(isMeant)?.id
  }
  return {
    openId,
    at,
    isWide,
    /** Whether the operator came to the line by a key or a press here. */
    wasMoved,
    forgetMove: () => {
      wasMoved.current = false
    },
    findNeighbour,
    close,
    /** Opens a line, or none. Asks before typed text is lost, unless it was sent. */
    open: async (id: string | undefined, { asks = true } = {}) => {
      // Beside the list the address follows the line; on a phone Back leads to the list, and the router asks.
      const replaces = isWide || openId !== undefined
      if (asks && replaces && !(await confirmLeave({ closeForms: true }))) return
      wasMoved.current = true
      write(id, replaces)
    },
  }
}

/** An account that has just been chosen shows none of another account's lines, which the address may still name. */
export function useOwnLineOnly(account: BankAccount | undefined, { openId, close }: ReturnType<typeof useOpenLine>) {
  const { data } = useQuery({ ...lineQuery(openId ?? ''), enabled: account !== undefined && openId !== undefined })
  const isForeign =
    account !== undefined && data !== undefined && data.line.id === openId && data.line.accountId !== account.id
  useEffect(() => {
    if (isForeign) close()
  }, [isForeign, close])
}
