/** Where alarms (security events and audit rows) leave the console: a signed post, a log, syslog. */
export const alarmOutputs = ['webhook', 'log', 'syslog'] as const
export type AlarmOutputName = (typeof alarmOutputs)[number]

/** An output that fails for longer than this is a notice. */
export const alarmPatienceMinutes = 5
