import { createHash } from 'node:crypto'
import { accessSync, chmodSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Account, canSearch, pickAccount } from './account.ts'
import { StartError } from './errors.ts'
import { makeFolder, makePrivateFolder, explainFileErrors } from './folders.ts'

/** Where the database is stored, and the account that runs it. */
export interface DatabaseLocation {
  /** Contains everything else. Belongs to the account that starts the console. */
  home: string
  /** PostgreSQL's data folder, without links in its path, because a server is recognised by it. */
  cluster: string
  /** The unix socket, and the marks of the consoles that use this database. */
  run: string
  account: Account | null
}

const stateFolder = '/var/lib/back-office'

/** Chooses the location by product 13.2 (`DATA_DIR`) and creates the folders. Throws StartError. */
export function prepareLocation(dataDir: string, say: (line: string) => void): DatabaseLocation {
  const isRoot = process.getuid?.() === 0
  makeFolder(dataDir, isRoot ? 0o711 : 0o700)
  const { home, account } = isRoot ? locationForRoot(dataDir, say) : locationForUser(dataDir)
  makeFolder(home, isRoot ? 0o711 : 0o700)
  explainFileErrors(home, () => accessSync(home, constants.W_OK | constants.X_OK))
  const place = { home, cluster: join(realpathSync(home), 'data'), run: join(home, 'run'), account }
  makePrivateFolder(place.run, account)
  makePrivateFolder(join(place.run, 'users'), account)
  return place
}

function locationForUser(dataDir: string): { home: string; account: null } {
  const home = join(dataDir, 'postgres')
  const owner = clusterOwner(home)
  if (owner !== undefined && process.getuid && owner !== process.getuid()) {
    throw new StartError(
      `The database in ${home} belongs to uid ${owner}: start the console as that account or as root.`,
    )
  }
  return { home, account: null }
}

function locationForRoot(dataDir: string, say: (line: string) => void): { home: string; account: Account } {
  const inside = join(dataDir, 'postgres')
  const outside = join(stateFolder, createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16))
  const owner = clusterOwner(inside) ?? clusterOwner(outside)
  if (owner === 0) throw new StartError(`The database in ${inside} belongs to root, as whom PostgreSQL does not run.`)
  const account = pickAccount(owner)

  if (!canSearch(dataDir, account)) explainFileErrors(dataDir, () => chmodSync(dataDir, statSync(dataDir).mode | 0o011))
  const isWithinReach = canSearch(dataDir, account)
  // A database stays where it was created, whatever its permissions are now. Never start an empty one beside it.
  if (isWithinReach && (clusterOwner(inside) !== undefined || clusterOwner(outside) === undefined)) {
    return { home: inside, account }
  }
  if (clusterOwner(inside) !== undefined) {
    throw new StartError(
      `The database in ${inside} is out of reach of the account it runs as (${account.name}): ` +
        `give that account search right (chmod o+x) on the folders above it.`,
    )
  }
  const reason = isWithinReach
    ? 'It was made there'
    : `A folder above ${dataDir} is closed to the account "${account.name}"`
  say(`${reason}, so the database lives in ${outside}`)
  makeFolder(stateFolder, 0o711)
  return { home: outside, account }
}

function clusterOwner(home: string): number | undefined {
  const marker = join(home, 'data', 'PG_VERSION')
  return existsSync(marker) ? statSync(marker).uid : undefined
}
