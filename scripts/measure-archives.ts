import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { postgres } from '@gateleg/adapters-postgres/postgres'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { openEngine } from '@gateleg/engine/open-engine'
import { startEmbeddedServer } from '../test/embedded-server.ts'
import { fillBase } from './filled-base.ts'
import { measureProgram } from './measured-program.ts'

// Measures archives: a base is exported from a file, imported into a database, exported from there and imported into the
// file: seconds, and how far the memory grows.
// node scripts/measure-archives.ts [records, 100000 when not told]: records of 20 fields.

const instanceKey = 'the key of what is measured, known to all'
const [word = '100000', ...more] = process.argv.slice(2)
if (word === 'export' || word === 'import') await transfer(word, more)
else await measure(Number(word))

async function measure(records: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateleg-archives-'))
  const server = await startEmbeddedServer({})
  const run = async (words: readonly string[]) => {
    const { code, seconds, mostMB, moreMB } = await measureProgram(
      [import.meta.filename, ...words],
      {},
    )
    const speed = Math.round(records / seconds)
    console.log(
      `${words[0]} of ${words[1]}: ${code === 0 ? 'done' : 'failed'} in ${seconds.toFixed(1)} s (${speed} records per second), with ${mostMB} MB at most, ${moreMB} MB more than at first`,
    )
  }
  try {
    const file = join(folder, 'data.db')
    const archive = join(folder, 'base.gateleg')
    const { spaceId } = await fillBase(sqlite({ file }), { records, instanceKey })
    await run(['export', file, archive])
    console.log(`The archive has ${Math.round(statSync(archive).size / 1e6)} MB`)
    await run(['import', server.connectionString, archive])
    await run(['export', server.connectionString, join(folder, 'again.gateleg')])
    await run(['import', file, archive, spaceId])
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

/** Exports the only base of a storage, or imports an archive, into a new space where none is named. */
async function transfer(how: 'export' | 'import', [place = '', archive = '', space]: string[]) {
  const storage = place.startsWith('postgres')
    ? postgres({ connectionString: place })
    : sqlite({ file: place })
  await using engine = await openEngine({ storage, jobs: false, instanceKey })
  const { id: userId } = await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
  const { archives, bases, spaces } = engine.as({ userId })
  if (how === 'export') {
    const [base] = await bases.listAllBases()
    const parts = await archives.exportBase({ baseId: base?.id ?? '' })
    return await pipeline(Readable.from(parts), createWriteStream(archive))
  }
  const spaceId = space ?? (await spaces.createSpace({ name: 'Space' })).id
  await archives.importBase({ spaceId, content: createReadStream(archive) })
}
