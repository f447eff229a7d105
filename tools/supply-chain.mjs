import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, say } from './process.mjs'

/** Writes the bill of materials (CycloneDX) and the licences of every locked package into a folder. */
export function writeBillOfMaterials(folder = 'dist') {
  const { stdout } = runNpm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'])
  const bill = parseJson(stdout)
  if (bill?.bomFormat !== 'CycloneDX') throw new Failure('npm wrote no bill of materials; npm 10 or newer does')
  mkdirSync(folder, { recursive: true })
  const [billFile, licenceFile] = [join(folder, 'sbom.cdx.json'), join(folder, 'licences.txt')]
  writeFileSync(billFile, `${JSON.stringify(bill, null, 2)}\n`)
  writeFileSync(licenceFile, formatLicences(bill.components))
  say(`${billFile} and ${licenceFile} name ${bill.components.length} packages`)
  return 0
}

const readLicence = ({ licenses = [] }) =>
  licenses.map(({ expression, license }) => expression ?? license?.id ?? license?.name).join(', ') || 'not named'

const byName = (one, other) => one.localeCompare(other)

const listPackages = (packages) =>
  [...new Set(packages)]
    .toSorted(byName)
    .map((each) => `  ${each}\n`)
    .join('')

/** One paragraph for each licence, with its packages in alphabetical order. */
export function formatLicences(components) {
  const groups = new Map()
  for (const component of components) {
    const licence = readLicence(component)
    const { name, version } = component
    groups.set(licence, [...(groups.get(licence) ?? []), `${name} ${version}`])
  }
  return [...groups]
    .toSorted(([one], [other]) => byName(one, other))
    .map(([licence, packages]) => `${licence}\n${listPackages(packages)}`)
    .join('\n')
}

/** Asks the registry for known weaknesses of the locked packages. Fails for high and critical ones, not for no answer. */
export function auditDependencies() {
  const { lines, code } = describeAdvisories(runNpm(['audit', '--json', '--package-lock-only']).stdout)
  for (const line of lines) say(line)
  return code
}

/** The report of `npm audit --json` in words, and the exit code. The report of a registry without advisories is an error. */
export function describeAdvisories(text) {
  const report = parseJson(text)
  const counts = report?.metadata?.vulnerabilities
  if (!counts) return { lines: ['the registry answers no question about advisories: nothing is known'], code: 0 }
  const found = Object.values(report.vulnerabilities ?? {})
  if (found.length === 0) return { lines: ['no advisory is known for the locked packages'], code: 0 }
  const lines = found
    .map(({ severity, name, range, fixAvailable }) => {
      const fix = fixAvailable === false ? 'no fix yet' : 'a fix is there'
      return `${severity}: ${name} ${range} (${fix})`
    })
    .toSorted()
  return { lines, code: (counts.high ?? 0) + (counts.critical ?? 0) > 0 ? 1 : 0 }
}

function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** npm ends with 1 where it reports something, so its exit code says little. Its own messages may name the registry. */
function runNpm(args) {
  const script = process.env.npm_execpath
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28, env: { ...process.env, npm_config_loglevel: 'silent' } }
  const ran = script
    ? spawnSync(process.execPath, [script, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (ran.error) throw new Failure(`npm does not start: ${ran.error.message}`)
  return ran
}
