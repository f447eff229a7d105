import { setRunClock } from './support/run-clock.ts'

setRunClock()
