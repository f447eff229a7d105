const clock = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** By how much the server's clock is ahead of the browser's. */
let aheadMs = 0

export const setServerTime = (milliseconds: number): void => void (aheadMs = milliseconds - Date.now())

/** Now by the server's clock, in milliseconds: its instants are compared with this, as a browser's may be wrong. */
export const getServerNow = (): number => Date.now() + aheadMs

/** An instant of these minutes, as a clock shows it: "14:32". */
export const formatClockTime = (instant: string | number): string => clock.format(new Date(instant))
