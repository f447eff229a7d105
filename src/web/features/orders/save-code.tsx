import { Download } from 'lucide-react'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { drawCode } from '#web/lib/draw-code.ts'

const pixelsPerModule = 8

/** The code as a picture of its own, to be sent to the member. */
function buildPicture(text: string): Blob {
  const { size, path } = drawCode(text)
  const pixels = size * pixelsPerModule
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 ${size} ${size}"`
  const ground = `<path fill="#fff" d="M0 0h${size}v${size}H0z"/>`
  const picture = `${head} shape-rendering="crispEdges">${ground}<path d="${path}"/></svg>`
  return new Blob([picture], { type: 'image/svg+xml' })
}

export default function SaveCode({ text, fileName }: { text: string; fileName: string }) {
  return (
    <Button size="small" onClick={() => saveFile({ blob: buildPicture(text), headers: new Headers() }, fileName)}>
      <Download aria-hidden />
      Save Code
    </Button>
  )
}
