import { formatCount } from '#web/lib/money.ts'

/** "1 line", "2 lines". */
export const countLines = (count: number): string => `${formatCount(count)} ${count === 1 ? 'line' : 'lines'}`
