import type { Bench, Benchmark, Measurement } from '../benchmark.ts'
import type { Ours } from '../contenders.ts'
import { createFilledTable } from '../filled-table.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient } from '../load-client.ts'
import { median } from '../statistics.ts'

const sizes = { small: 1_000, large: 100_000 } as const
const fieldCount = 3
const repetitions = 40
/** Each large one takes seconds to fill. */
const tablesDeleted = 7
const ratioMax = 2

type Size = keyof typeof sizes

/** Changes of a table's structure take as long with many records as with few. */
export const changeStructure: Benchmark = {
  name: 'structure',
  run: async ({ contenders, say }: Bench) => {
    const ours = await contenders.startOurs()
    const client = new LoadClient({ url: ours.url, connections: 1, token: ours.token })
    const timings = await timeFieldChanges(ours, client, say)
    const tables = await timeTableDeletions(ours, client, say)
    await client.close()
    return [...timings, toMeasurement('delete a table', tables)]
  },
}

type Times = Readonly<Record<Size, readonly number[]>>

async function timeFieldChanges(ours: Ours, client: LoadClient, say: Bench['say']) {
  say('filling a small and a large table')
  const paths = {
    small: await newTable(ours, sizes.small),
    large: await newTable(ours, sizes.large),
  }
  const fieldPaths = { small: '', large: '' }
  const add = async (size: Size) => {
    const path = `/api/table/${paths[size]}/field`
    const body = JSON.stringify({ type: 'singleLineText', name: 'Added' })
    const startedMs = performance.now()
    const answer = await client.send({ method: 'POST', path, body })
    const tookMs = performance.now() - startedMs
    fieldPaths[size] = `${path}/${JSON.parse(answer.toString('utf8')).id}`
    return tookMs
  }
  const rename = (size: Size) =>
    client.time({ method: 'PATCH', path: fieldPaths[size], body: '{"name":"Renamed"}' })
  const remove = (size: Size) => client.time({ method: 'DELETE', path: fieldPaths[size] })

  say('adding, renaming and deleting fields')
  const times = {
    'add a field': { small: [] as number[], large: [] as number[] },
    'rename a field': { small: [] as number[], large: [] as number[] },
    'delete a field': { small: [] as number[], large: [] as number[] },
  }
  const changes = { 'add a field': add, 'rename a field': rename, 'delete a field': remove }
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    for (const name of Object.keys(changes) as (keyof typeof changes)[]) {
      const order: Size[] = repetition % 2 === 0 ? ['small', 'large'] : ['large', 'small']
      for (const size of order) {
        const tookMs = await changes[name](size)
        if (repetition > 0) times[name][size].push(tookMs)
      }
    }
  }
  return Object.entries(times).map(([name, both]) => toMeasurement(name, both))
}

async function timeTableDeletions(ours: Ours, client: LoadClient, say: Bench['say']) {
  const waiting: Record<Size, string[]> = { small: [], large: [] }
  for (let index = 0; index <= tablesDeleted; index++) {
    say(`filling table ${index} of ${tablesDeleted} to delete`)
    for (const size of ['small', 'large'] as const) {
      waiting[size].push(await newTable(ours, sizes[size]))
    }
  }
  const remove = (size: Size) => () =>
    client.time({
      method: 'DELETE',
      path: `/api/base/${ours.baseId}/table/${waiting[size].pop()}`,
    })
  return inTurns(tablesDeleted, { small: remove('small'), large: remove('large') })
}

async function newTable(ours: Ours, records: number): Promise<string> {
  return (await createFilledTable(ours, { fields: fieldCount, records })).tableId
}

function toMeasurement(what: string, { small, large }: Times): Measurement {
  const ratio = median(large) / median(small)
  return {
    name: `${what}, ${sizes.large} records against ${sizes.small}`,
    ours: `${median(large).toFixed(2)} ms`,
    other: `${median(small).toFixed(2)} ms`,
    ratio,
    target: `< ${ratioMax}`,
    isMet: ratio < ratioMax,
  }
}
