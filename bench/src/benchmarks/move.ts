import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@gateleg/contract/client'
import type { Bench, Benchmark, Measurement } from '../benchmark.ts'
import type { Contenders, Ours } from '../contenders.ts'
import { sampleFields, sampleRecords } from '../sample-table.ts'
import { onPostgres } from '../storages.ts'

const fieldCount = 20
const counts = { small: 1_000, large: 1_000_000 } as const
const recordsPerRequest = 5_000

const secondsMax = 60
const grownBytesMax = 200 * 1024 ** 2

type Environment = Readonly<Record<string, string>>

/** Moves a workspace from a file to a database and back by the command, and asks each place whether it holds the same. */
export const move: Benchmark = {
  name: 'move',
  isLong: true,
  run: async ({ contenders, storageName, say }: Bench) => {
    if (storageName !== 'sqlite') return []
    try {
      const small = await moveThereAndBack(contenders, counts.small, say)
      const large = await moveThereAndBack(contenders, counts.large, say)
      const size = `${counts.large} x ${fieldCount}`
      const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MiB`
      return (['there', 'back'] as const).flatMap((way): readonly Measurement[] => {
        const seconds = large[way].tookMs / 1_000
        const [most, least] = [large[way].memoryMost, small[way].memoryMost]
        const name = `move ${size} ${ways[way]}`
        return [
          {
            name,
            ours: `${seconds.toFixed(1)} s`,
            target: `<= ${secondsMax} s`,
            isMet: seconds <= secondsMax,
          },
          {
            name: `${name}, memory against ${counts.small}`,
            ours: mebibytes(most),
            other: mebibytes(least),
            target: `<= ${mebibytes(grownBytesMax)} more`,
            isMet: most - least <= grownBytesMax,
          },
        ]
      })
    } finally {
      await onPostgres.stop()
    }
  },
}

const ways = { there: 'from SQLite to PostgreSQL', back: 'from PostgreSQL to SQLite' }

async function moveThereAndBack(contenders: Contenders, count: number, say: Bench['say']) {
  const ours = await contenders.startOurs()
  say(`filling a table with ${count} records`)
  await fill(ours, count)
  const { hash } = await ours.api.bases.verifyBase({ baseId: ours.baseId })
  await ours.stop()
  const dataDir = join(ours.folder, 'files')
  mkdirSync(dataDir)
  const inDatabase = { ...(await onPostgres.ours(dataDir)), DATA_DIR: ours.folder }
  const { DATABASE_URL: url = '' } = inDatabase as Environment
  say(`moving ${count} records ${ways.there}`)
  const there = await contenders.runOurs(['move', '--to', url], { DATA_DIR: ours.folder })
  const directory = join(ours.folder, 'back')
  say(`moving ${count} records ${ways.back}`)
  const back = await contenders.runOurs(['move', '--to', directory], inDatabase)
  say('comparing')
  await requireHash(contenders, ours, inDatabase, hash)
  await requireHash(contenders, ours, { DATA_DIR: directory }, hash)
  return { there, back }
}

async function fill({ api, baseId }: Ours, count: number): Promise<void> {
  const fields = sampleFields(fieldCount)
  const { id: tableId } = await api.tables.createTable({ baseId, fields, records: [] })
  for (let first = 0; first < count; first += recordsPerRequest) {
    const some = Math.min(recordsPerRequest, count - first)
    await api.records.createRecords({ tableId, records: sampleRecords(fieldCount, first, some) })
  }
}

/** Rejects where a server on the data has another base than the one that was moved. */
async function requireHash(
  contenders: Contenders,
  { baseId, token }: Ours,
  env: Environment,
  hash: string,
): Promise<void> {
  const server = await contenders.startOursOn(env)
  const api = createClient({ baseUrl: `${server.url}/api`, token })
  const { hash: found } = await api.bases.verifyBase({ baseId })
  await server.stop()
  if (found !== hash) throw new Error(`The hash is ${found} where it has to be ${hash}`)
}
