import { shortenHash } from '#web/lib/hashes.ts'
import { CopyButton } from './copy-button.tsx'

/** A hash or address, cut to `0x1234…abcd`, the whole on hover, with what else is to be said, and a button that copies the whole. */
export function Hash({ value, name = 'hash', about }: { value: string; name?: string; about?: string | undefined }) {
  return (
    <span className="inline-flex items-center gap-0.5 whitespace-nowrap">
      <span title={about ? `${value}\n${about}` : value} className="hash-text">
        {shortenHash(value)}
      </span>
      <CopyButton text={value} label={`Copy ${name} ${shortenHash(value)}`} />
    </span>
  )
}
