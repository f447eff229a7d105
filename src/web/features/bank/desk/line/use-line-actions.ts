import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import type { Candidate } from '#contract/schemas/bank-candidates.ts'
import { isComposingKey } from '#web/lib/keys.ts'
import { confirmDiscard } from '#web/lib/unsaved.ts'
import { isField, useShortcuts } from '#web/ui/use-shortcuts.ts'
import { useUnsaved } from '#web/ui/use-unsaved.ts'
import { findOrderId, isWork, mostCandidates } from './candidate-allocations.ts'
import type { LineDialog } from './line-dialogs.tsx'
import type { Apply } from './use-apply.ts'
import type { LineWork } from './use-line-work.ts'

const overlay = '[role=dialog], [role=alertdialog], [role=menu]'
/** What Enter presses by itself. The chosen candidate is not one: it was pressed before, and Enter applies it. */
const pressed = 'a, button:not([data-candidate][aria-pressed=true]), summary, [role=tab]'

const isPlain = (event: KeyboardEvent) => {
  const { ctrlKey, metaKey, altKey, repeat, defaultPrevented } = event
  return !(ctrlKey || metaKey || altKey || repeat || defaultPrevented || isComposingKey(event))
}

interface LineKeys {
  onApply: () => void
  onFind: (() => void) | false
  onEscape: (() => void) | false
  /** Letters and digits; false for those that mean nothing now. */
  keys: Record<string, (() => void) | false | undefined>
}

/** The keys of an open line. Enter in a field is the form's own. */
function useLineKeys({ onApply, onFind, onEscape, keys }: LineKeys): void {
  useShortcuts(keys)
  const onEnter = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event
    if (key !== 'Enter' || !isPlain(event) || document.querySelector(overlay) || isField(target)) return
    if (target instanceof Element && target.closest(pressed)) return
    event.preventDefault()
    onApply()
  })
  // Before the header's search, which opens by the same key on every other screen.
  const onSlash = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event
    if (key !== '/' || onFind === false || !isPlain(event) || document.querySelector(overlay) || isField(target)) return
    event.preventDefault()
    onFind()
  })
  const onBack = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || onEscape === false || !isPlain(event) || document.querySelector(overlay)) return
    event.preventDefault()
    onEscape()
  })
  useEffect(() => {
    const stop = new AbortController()
    for (const handler of [onEnter, onBack]) window.addEventListener('keydown', handler, { signal: stop.signal })
    window.addEventListener('keydown', onSlash, { signal: stop.signal, capture: true })
    return () => stop.abort()
  }, [])
}

interface LineActionsProps {
  line: BankLine
  detail: BankLineDetail | undefined
  work: LineWork
  apply: Apply
  isHeld: boolean
  isReady: boolean
  mayApply: boolean
  setDialog: (dialog: LineDialog | null) => void
}

/** Asks before typed text is lost, whichever way the operator leaves it. */
function useDiscard(work: LineWork, apply: Apply) {
  const discard = () => {
    apply.forget()
    work.cancelSplit()
    work.setReason('')
  }
  useUnsaved({ isEdited: work.isEdited, isSending: apply.isPending, onClose: discard })
  return async () => {
    if (!apply.isPending && (!work.isEdited() || (await confirmDiscard()))) discard()
  }
}

/** What an operator changes. What was refused is then no longer what will be sent. */
function listEdits(work: LineWork, apply: Apply) {
  const edit =
    <Given>(change: (given: Given) => void) =>
    (given: Given) => {
      apply.forget()
      change(given)
    }
  return {
    changeSplit: edit(work.changeSplit),
    choose: edit(work.choose),
    addFound: edit(work.addFound),
    setReason: edit(work.setReason),
    beginSplit: () => {
      apply.forget()
      work.beginSplit()
    },
  }
}

/** What buttons and keys do with a line. */
export function useLineActions({ line, detail, work, apply, isHeld, isReady, mayApply, setDialog }: LineActionsProps) {
  const reasonRef = useRef<HTMLInputElement>(null)
  const [isReasonAsked, setReasonAsked] = useState(false)
  const { split, candidates } = work
  const isMine = mayApply && isWork(line) && !isHeld && !apply.isPending && !apply.mustReload
  const canAct = isMine && detail !== undefined
  const isCredit = line.direction === 'credit'
  const cancelSplit = useDiscard(work, apply)
  const submit = () => {
    if (!canAct || work.obstacle !== null) return
    // Asking is not a change: it needs no look at the line first.
    if (work.isReasonMissing && !work.leavesRest) {
      setReasonAsked(true)
      return reasonRef.current?.focus()
    }
    if (!isReady) return work.showUnseen()
    if (work.leavesRest) return work.beginSplit(work.suggestedCause)
    apply.send(work.listAllocations(), work.reason.trim() || null)
  }
  const edits = listEdits(work, apply)
  const { changeSplit } = edits
  const find = () => setDialog('find')
  const refund = () =>
    split
      ? changeSplit({ type: 'refund', cause: work.suggestedCause, orderId: findOrderId(work.chosen) })
      : setDialog('refund')
  const writeOff = () =>
    split ? changeSplit({ type: 'ignored', code: isCredit ? 'other_business' : 'fee' }) : setDialog('writeOff')
  const choices = candidates
    .slice(0, mostCandidates)
    .map((candidate, at) => [String(at + 1), canAct && !split && (() => edits.choose(candidate))] as const)
  useLineKeys({
    onApply: submit,
    // Also while the line loads, since the key would open the header's search.
    onFind: isMine && find,
    keys: {
      ...Object.fromEntries(choices),
      s: canAct && !split && edits.beginSplit,
      r: canAct && isCredit && refund,
      i: canAct && writeOff,
    },
    // In the fields of a split too.
    onEscape: split !== null && (() => void cancelSplit()),
  })
  return {
    submit,
    ...edits,
    find,
    refund,
    writeOff,
    cancelSplit: () => void cancelSplit(),
    reasonRef,
    isReasonAsked,
    /** Takes what was found: an order, a payment or a transfer. */
    takeFound: (candidate: Candidate) => {
      if (!split) return edits.addFound(candidate)
      changeSplit(candidate.kind === 'order' ? { type: 'order', candidate } : { type: 'credit', candidate })
    },
  }
}
export type LineActions = ReturnType<typeof useLineActions>
