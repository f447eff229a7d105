/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an img needs an address, and this is drawn here */
import { useMemo } from 'react'
import { drawCode } from '#web/lib/draw-code.ts'

/** A QR code, black on white in both themes, because scanners expect that. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawCode(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="block size-full forced-color-adjust-none"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
