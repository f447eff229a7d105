import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/process/log.ts'
import { openServerBase } from '#server/process/start.ts'
import { fillDemo } from './fill.ts'

// It ends with its console, when the channel to it closes. What is incomplete is filled at the next start.
process.once('disconnect', () => process.exit(1))
if (!process.connected) process.exit(1)

const say = (line: string) => console.log(line)
const config = readConfig(process.env)
const base = await openServerBase(config, createLog(config.logLevel), say)
await fillDemo(base.services, say)
await base.close()
process.exit(0)
