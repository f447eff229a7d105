import { splitAtMatch } from './match-text.ts'

interface HighlightProps {
  text: string
  typed: string
}

/**
 * Text of any script with the match in bold, and underlined in forced colours. Not a `mark`, whose forced colour
 * differs from the text around it.
 */
export function Highlight({ text, typed }: HighlightProps) {
  const [before, match, after] = splitAtMatch(text, typed)
  return (
    <bdi>
      {before}
      {match && <b className="text-accent-ink forced-colors:underline">{match}</b>}
      {after}
    </bdi>
  )
}

const headLength = 14

/** A hash or address, truncated in the middle. Only its visible beginning is highlighted. */
export function HashHighlight({ text, typed }: HighlightProps) {
  const digits = typed.trim().replace(/^0x/i, '')
  return (
    <span className="hash-text" title={text}>
      <Highlight text={text.slice(0, headLength)} typed={digits && `0x${digits}`.slice(0, headLength)} />…
      {text.slice(-6)}
    </span>
  )
}
