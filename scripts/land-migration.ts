import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import { postgres } from '@gateleg/adapters-postgres/postgres'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { migrations } from '@gateleg/sql/migrations/migrations'
import { startEmbeddedServer } from '../test/embedded-server.ts'
import { dumpPostgres } from '../test/upgrades/dump-postgres.ts'
import { makeSampleWorkspace } from '../test/upgrades/sample-workspace.ts'
import { type TextHashes, textHashes } from '../test/upgrades/text-hashes.ts'

// To be run when a migration has been added: `node scripts/land-migration.ts`. It writes down what the
// migration says, which may never change again, and keeps a small workspace as this version makes it, in a
// file and as a dump of PostgreSQL, which every later version must be able to upgrade.

const upgrades = join(import.meta.dirname, '../test/upgrades')
noteTexts(join(upgrades, 'landed.json'))
const place = join(upgrades, String(migrations.length).padStart(3, '0'))
if (existsSync(place)) console.log(`${place} is there already`)
else await keepWorkspace(place)

/** Adds the hashes of new migrations; those that are written down already stay. */
function noteTexts(file: string): void {
  const landed: TextHashes = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  writeFileSync(file, `${JSON.stringify({ ...textHashes(), ...landed }, null, 2)}\n`)
}

async function keepWorkspace(place: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  const file = join(folder, 'gateleg.db')
  const hashes = await makeSampleWorkspace(sqlite({ file }))
  const content = readFileSync(file)
  rmSync(folder, { recursive: true })

  const server = await startEmbeddedServer({})
  const storage = postgres({ connectionString: server.connectionString })
  const others = await makeSampleWorkspace(storage)
  const dump = await dumpPostgres(server.connectionString)
  await server.stop()
  if (!isDeepStrictEqual(hashes, others)) throw new Error('The storages hold different workspaces')

  mkdirSync(place)
  writeFileSync(join(place, 'gateleg.db.gz'), gzipSync(content, { level: 9 }))
  writeFileSync(join(place, 'postgres.sql.gz'), gzipSync(dump, { level: 9 }))
  writeFileSync(join(place, 'hashes.json'), `${JSON.stringify(hashes, null, 2)}\n`)
  console.log(`${place} is made`)
}
