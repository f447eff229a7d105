import { useQueryClient } from '@tanstack/react-query'
import { BookmarkMinus, BookmarkPlus } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isComposingKey, readKey } from '#web/lib/keys.ts'
import { accountQuery } from '#web/use-can.ts'
import { Button } from '#web/ui/button.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { isOnTop } from '#web/ui/use-shortcuts.ts'
import {
  mostReasonLength,
  readQuickReasons,
  reasonKeys,
  storeQuickReasons,
  type ReasonSubject,
} from './quick-reasons.ts'

interface ReasonChoiceProps {
  subject: ReasonSubject
  reason: string
  onChange: (reason: string) => void
  isDisabled: boolean
}

/**
 * Quick reasons, each on a digit that no candidate has. In a text field a digit is text, but for the field of the reason while that
 * is empty or holds a quick reason.
 */
export function ReasonChoice({ subject, reason, onChange, isDisabled }: ReasonChoiceProps) {
  const { reasons, keep, forget } = useQuickReasons(subject)
  const choices = useRef<HTMLFieldSetElement>(null)
  const typed = reason.trim()
  const isQuick = reasons.includes(typed)
  const mayKeep = typed !== '' && typed.length <= mostReasonLength && reasons.length < reasonKeys.length
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, ctrlKey, metaKey, altKey, shiftKey, repeat, defaultPrevented } = event
    const picked = reasons[reasonKeys.indexOf(readKey(event))]
    if (!picked || isDisabled || ctrlKey || metaKey || altKey || shiftKey || repeat || isComposingKey(event)) return
    if (defaultPrevented || !isOnTop(choices.current)) return
    const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (isText && !(target.name === 'reason' && (typed === '' || isQuick))) return
    event.preventDefault()
    onChange(picked)
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <fieldset ref={choices} aria-label="Quick reasons" className="flex min-w-0 flex-wrap gap-1.5">
      {reasons.map((each, at) => (
        <Button
          key={each}
          size="small"
          aria-pressed={each === typed}
          aria-keyshortcuts={reasonKeys[at]}
          title={each}
          disabled={isDisabled}
          // A click leaves the focus where it is, so that Enter applies.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChange(each)}
          className="min-w-0 shrink px-2 aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
        >
          <KeyHint>{reasonKeys[at]!}</KeyHint>
          <span className="min-w-0 truncate">{each}</span>
        </Button>
      ))}
      {isQuick ? (
        <Button variant="ghost" size="small" disabled={isDisabled} onClick={() => forget(typed)}>
          <BookmarkMinus aria-hidden />
          Forget
        </Button>
      ) : (
        mayKeep && (
          <Button variant="ghost" size="small" disabled={isDisabled} onClick={() => keep(typed)}>
            <BookmarkPlus aria-hidden />
            Keep as Quick Reason
          </Button>
        )
      )}
      {/* A digit leaves the focus where it is. */}
      <output className="sr-only">{isQuick && `Reason: ${typed}`}</output>
    </fieldset>
  )
}

/** The operator's quick reasons, as they are kept in this browser. */
function useQuickReasons(subject: ReasonSubject) {
  const adminId = useQueryClient().getQueryData(accountQuery.queryKey)?.admin.id ?? ''
  const [reasons, setReasons] = useState(() => readQuickReasons(adminId, subject))
  const change = (changed: string[]) => {
    setReasons(changed)
    storeQuickReasons(adminId, subject, changed)
  }
  return {
    reasons,
    keep: (reason: string) => change([...reasons, reason]),
    forget: (reason: string) => change(reasons.filter((each) => each !== reason)),
  }
}
