/** Hands a file to the browser as a download, under `name` or the server's name for it. */
export function saveFile({ blob, headers }: { blob: Blob; headers: Headers }, name?: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name ?? /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'report.csv'
  link.click()
  // The browser reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
