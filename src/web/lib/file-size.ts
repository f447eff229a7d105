const units = ['bytes', 'kB', 'MB'] as const

/** `1536` as `1.5 kB`. */
export function formatFileSize(bytes: number): string {
  const power = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : 2
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
