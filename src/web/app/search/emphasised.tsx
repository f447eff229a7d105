import { emphasis } from './emphasis.ts'

interface EmphasisedProps {
  text: string
  typed: string
}

/**
 * Text of any script, with the part that matches what was typed in bold; where colours are forced, underlined. No `mark`:
 * its own forced ink is not that of the text around it.
 */
export function Emphasised({ text, typed }: EmphasisedProps) {
  const [before, match, after] = emphasis(text, typed)
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
export function EmphasisedHash({ text, typed }: EmphasisedProps) {
  const digits = typed.trim().replace(/^0x/i, '')
  return (
    <span className="hash-text" title={text}>
      <Emphasised text={text.slice(0, headLength)} typed={digits && `0x${digits}`.slice(0, headLength)} />…
      {text.slice(-6)}
    </span>
  )
}
