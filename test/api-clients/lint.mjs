import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'

/** Prints what Redocly's recommended rules and Spectral's rules for OpenAPI find in the description at the given path, as JSON. */
const source = await readFile(process.argv[2], 'utf8')

const config = await createConfig({ extends: ['recommended'] })
const byRedocly = (await lintFromString({ source, config })).map(({ ruleId, severity, message, location }) => ({
  rule: `redocly ${ruleId}`,
  isError: severity === 'error',
  at: location[0]?.pointer,
  message,
}))

const linter = new spectral.Spectral()
linter.setRuleset({ extends: [oas] })
const bySpectral = (await linter.run(source)).map(({ code, severity, message, path }) => ({
  rule: `spectral ${code}`,
  isError: severity === 0,
  at: path.join('/'),
  message,
}))
console.log(JSON.stringify([...byRedocly, ...bySpectral]))
