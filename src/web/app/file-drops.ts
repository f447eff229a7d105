const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false
const takesFiles = ({ target }: DragEvent) => target instanceof HTMLInputElement && target.type === 'file'

function refuse(event: DragEvent) {
  if (hasFiles(event) && !takesFiles(event)) event.preventDefault()
}

/** Refuses files dropped where nothing takes them, which would open in the console's place. Returns how to stop. */
export function refuseFileDrops(): () => void {
  const stop = new AbortController()
  for (const type of ['dragover', 'drop'] as const) window.addEventListener(type, refuse, { signal: stop.signal })
  return () => stop.abort()
}
