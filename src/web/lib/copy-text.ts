/** Copies a text. Over plain http browsers have no clipboard to write to, only their own command. Rejects where neither copies. */
export async function copyText(text: string): Promise<void> {
  // Undefined over plain http, which its type does not say.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard) return clipboard.writeText(text)
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', fill, { once: true, capture: true })
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', fill, { capture: true })
  if (!isCopied) throw new Error('The browser copies nothing here')
}
