import { runAdminCommand } from './run-admin-command.ts'

process.exitCode = await runAdminCommand(process.argv.slice(2), {
  environment: process.env,
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
})
