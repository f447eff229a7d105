const clock = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** An instant of these minutes, as a clock shows it: "14:32". */
export const formatClockTime = (instant: string | number): string => clock.format(new Date(instant))
