import { existsSync } from 'node:fs'
import { aloneOnFile } from '@gateleg/adapters-sqlite/file/alone-on-file'
import { instanceKeyLengthMin } from '@gateleg/engine/instance-key'
import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import type { SqlSession } from '@gateleg/sql/core/session'
import {
  type KeyFacts,
  readKeyFacts,
  type SealedAnew,
  type SealingKey,
  sealAnew,
} from '@gateleg/sql/sealing/seal-anew'
import {
  type Configuration,
  ConfigurationError,
  type DatabaseAddress,
} from '../configuration/configuration.ts'
import { explainingFailures } from '../configuration/operator-errors.ts'
import { databaseFile } from '../data-directory/data-directory.ts'
import {
  finishRotation,
  foreignKey,
  isKeyOf,
  keepNextKey,
  keyFile,
  readInstanceKey,
} from '../data-directory/instance-key-file.ts'
import { nameOf } from '../opening/opening-storage.ts'

type Place = Pick<Configuration, 'database' | 'dataDir' | 'instanceKey' | 'newInstanceKey'>

/**
 * Gives the configured data, which no server may be using, another instance key: the one that is configured as the new
 * one, or else one that is made. Whatever is sealed is sealed anew. Whenever the program ends meanwhile, the key that the
 * data have is at hand. Returns what was done, in words. Throws a ConfigurationError that says why it can't.
 */
export async function rotateKey(place: Place): Promise<string> {
  const { database, dataDir, instanceKey, newInstanceKey } = place
  if (instanceKey !== undefined && newInstanceKey === undefined) {
    throw new ConfigurationError([
      `GATELEG_KEY is the key, which the program can't change by itself: set GATELEG_NEW_KEY to another one, of ${instanceKeyLengthMin} characters or more.`,
    ])
  }
  if (instanceKey !== undefined && instanceKey === newInstanceKey) {
    throw new ConfigurationError([
      'GATELEG_NEW_KEY is the same as GATELEG_KEY: choose another one.',
    ])
  }
  if (database) return explainingFailures(() => inDatabase(place, database))
  if (!existsSync(databaseFile(dataDir))) {
    throw new ConfigurationError([`There is no ${databaseFile(dataDir)}: look at DATA_DIR.`])
  }
  return explainingFailures(() => inDirectory(place), { fileInUse: endServer })
}

const endServer = (file: string) =>
  `A server, or another program, is using ${file}: end it, change the key, and start it after that.`

async function inDatabase(
  { instanceKey, newInstanceKey }: Place,
  database: DatabaseAddress,
): Promise<string> {
  const { aloneOnDatabase } = await import('@gateleg/adapters-postgres/database/alone-on-database')
  const sealed = await aloneOnDatabase(database, async (session) => {
    const facts = await readKeyFacts(session)
    const before = instanceKey ?? facts.key
    if (before === undefined) {
      throw new ConfigurationError([
        'The database was created with a key that is not stored in it: set GATELEG_KEY to that key, and GATELEG_NEW_KEY to another one.',
      ])
    }
    return changeKey(session, facts, {
      before,
      after: newInstanceKey ?? NodeSecrets.newInstanceKey(),
    })
  })
  const where =
    newInstanceKey === undefined
      ? `The new key is stored in ${nameOf(database)}. Dumps that were made before hold the key before.\n`
      : inVariable
  return toWords(sealed) + where + whatEnds
}

async function inDirectory({ dataDir, instanceKey, newInstanceKey }: Place): Promise<string> {
  return aloneOnFile(databaseFile(dataDir), async (step) => {
    if (instanceKey !== undefined && newInstanceKey !== undefined) {
      const sealed = await step(async (session) =>
        changeKey(session, await readKeyFacts(session), {
          before: instanceKey,
          after: newInstanceKey,
        }),
      )
      return toWords(sealed) + inVariable + whatEnds
    }
    const { fingerprint } = await step(readKeyFacts)
    const finished = finishRotation(dataDir, fingerprint)
    if (finished !== undefined) {
      return `The change of the key that was interrupted is finished.\n${inFile(dataDir, finished)}${whatEnds}`
    }
    const before = readInstanceKey(dataDir)
    if (before === undefined) {
      throw new ConfigurationError([
        `There is no instance.key in ${dataDir}: put it there, or set GATELEG_KEY to the key, and GATELEG_NEW_KEY to another one.`,
      ])
    }
    requireKeyOf(fingerprint, before)
    const after = keepNextKey(dataDir)
    const sealed = await step(async (session) =>
      changeKey(session, await readKeyFacts(session), { before, after }),
    )
    const aside = finishRotation(dataDir, NodeSecrets.fingerprintOf(after))
    return toWords(sealed) + inFile(dataDir, aside) + whatEnds
  })
}

/** Seals everything anew under the key after; undefined where that was done before. */
async function changeKey(
  session: SqlSession,
  { fingerprint }: KeyFacts,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<SealedAnew | undefined> {
  if (isKeyOf(fingerprint, after)) return undefined
  requireKeyOf(fingerprint, before)
  return sealAnew(session, toSealingKey(before), toSealingKey(after))
}

function requireKeyOf(fingerprint: string | undefined, key: string): void {
  if (!isKeyOf(fingerprint, key)) throw foreignKey()
}

function toSealingKey(key: string): SealingKey {
  return { key, fingerprint: NodeSecrets.fingerprintOf(key), secrets: new NodeSecrets(key) }
}

const inVariable = 'Start the servers with GATELEG_KEY set to the new key.\n'

const whatEnds =
  'Links for a new password and codes that were mailed, URLs of files, cursors of lists, passwords that visitors of shares gave, codes of invitation links (their lists have new ones), and sign-ins under way must be asked for again; sessions and access tokens stay valid.\n'

function inFile(dataDir: string, aside: string | undefined): string {
  return `${keyFile(dataDir)} is the new key. The one before is kept as ${aside}: backups that were made before need it, so delete it with the last of these.\n`
}

function toWords(sealed: SealedAnew | undefined): string {
  if (!sealed) return 'The data have the new key already.\n'
  const { texts, unopened } = sealed
  const words = `The data have a new key, with which ${texts} text${texts === 1 ? ' is' : 's are'} encrypted anew.\n`
  if (unopened === 0) return words
  const them = unopened === 1 ? 'text, which stays' : 'texts, which stay'
  return `${words}Warning: the key before did not open ${unopened} encrypted ${them} unreadable.\n`
}
