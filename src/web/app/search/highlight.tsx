import { splitAtMatch } from './match-text.ts'

interface HighlightProps {
  text: string
  typed: string
}

/**
 * Text of any script, with the part that matches what was typed in bold; where colours are forced, underlined. No `mark`:
 * its own forced ink is not that of the text around it.
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

/** A hash or address, cut in its middle; emphasised as far as its beginning shows. */
export function HashHighlight({ text, typed }: HighlightProps) {
  const digits = typed.trim().replace(/^0x/i, '')
  return (
    <span className="hash-text" title={text}>
      <Highlight text={text.slice(0, headLength)} typed={digits && `0x${digits}`.slice(0, headLength)} />…
      {text.slice(-6)}
    </span>
  )
}
