import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '#web/lib/copy-text.ts'
import { IconButton } from './icon-button.tsx'

const confirmedMs = 1500

/** Copies the whole text. Its icon and name confirm that for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no')
  useEffect(() => {
    if (copied === 'no') return
    const timer = setTimeout(() => setCopied('no'), confirmedMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    void copyText(text).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    )
  const name = { no: label, yes: 'Copied', failed: 'Could not copy' }[copied]
  return (
    <IconButton tiny label={name} onClick={copy}>
      {copied === 'yes' ? <Check aria-hidden className="text-success-ink" /> : <Copy aria-hidden />}
    </IconButton>
  )
}
