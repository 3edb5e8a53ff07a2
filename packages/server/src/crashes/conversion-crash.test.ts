import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { findDamage } from '@gateleg/adapters-sqlite/file/find-damage'
import type { Api } from '@gateleg/domain/api'
import { limits } from '@gateleg/domain/limits'
import { testPassword } from '@gateleg/testing/worlds/world'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { makeDatabase } from '../../../../test/fresh-database.ts'
import { readAllRecords } from '../../../../test/record-batches.ts'
import { type ServerProcess, startServer } from '../../../../test/server-process.ts'
import { isOn } from '../../../../test/storages.ts'
import { databaseFile } from '../data-directory/data-directory.ts'

/** Data that outlive the servers that work on them. */
interface Data {
  readonly environment: Readonly<Record<string, string>>
  /** Ends the time for which a job stays with the process that took it: a minute, or several. */
  passLeases(): Promise<void>
  /** Fails when the data are damaged, and removes them. */
  remove(): Promise<void>
}

const endLeases = 'update jobs set lease_until_time = null'

const kinds = {
  sqlite: async (): Promise<Data> => {
    const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
    const file = databaseFile(folder)
    return {
      environment: { DATA_DIR: folder },
      passLeases: async () => {
        const database = new DatabaseSync(file)
        database.exec(endLeases)
        database.close()
      },
      remove: async () => {
        expect(findDamage(file)).toEqual([])
        rmSync(folder, { recursive: true })
      },
    }
  },
  postgres: async (): Promise<Data> => {
    const { connectionString, drop } = await makeDatabase()
    return {
      environment: { DATABASE_URL: connectionString },
      passLeases: async () => {
        const client = new pg.Client({ connectionString })
        await client.connect()
        await client.query(endLeases)
        await client.end()
      },
      remove: drop,
    }
  },
}

interface Place {
  readonly tableId: string
  readonly fieldId: string
}

/** More than one write converts, by as many as make the background's work long enough to be cut, twice. */
const count = limits.recordsCalculated + 30_000

/** As many as one call may create. */
const recordsPerCall = limits.recordsPerMutation

/** Every seventh text says no number. */
const textAt = (index: number) => (index % 7 === 3 ? `about ${index}` : `${index}`)
const numberAt = (index: number) => (index % 7 === 3 ? null : index)

/** Milliseconds between two looks at the field that is converted. */
const lookEveryMs = 5

describe.each(['sqlite', 'postgres'] as const)('a conversion on %s', (name) => {
  let data: Data
  let server: ServerProcess

  afterEach(async () => {
    await server?.kill()
    await data?.remove()
  })

  const start = async () => {
    server = await startServer(data.environment)
    return server
  }

  test.runIf(isOn(name))(
    '[SERVER-11] [FIELD-193] [FIELD-194] comes to its end however often the server is killed meanwhile',
    async () => {
      data = await kinds[name]()
      const ada = { email: 'ada@example.com', password: testPassword }
      const { accessToken } = await (await start()).api().accounts.signUp(ada)
      const first = server.api(accessToken)
      const { tableId, fieldId, recordIds } = await makeTable(first)
      await first.fields.convertField({ tableId, fieldId, type: 'number' } as never)

      // Killed once it has done some of its work, twice.
      for (const share of [0.1, 0.3]) {
        await untilShare(server.api(accessToken), { tableId, fieldId }, share)
        await server.kill()
        await data.passLeases()
        const next = (await start()).api(accessToken)
        // What is new for the background is begun at once, and what was begun before with it.
        await addText(next, { tableId, fieldId }, `Text at ${share}`)
      }
      const api = server.api(accessToken)
      const [early = '', late = '', gone = ''] = [5, count - 5, count - 1].map(
        (at) => recordIds[at],
      )
      const change = (recordId: string, Value: number | null) =>
        api.records.updateRecord({ tableId, recordId, record: { fields: { Value } } } as never)
      await change(early, -1)
      await change(late, null)
      await api.records.deleteRecord({ tableId, recordId: gone })
      const added = { tableId, records: [{ fields: { Value: -2 } }] }
      await api.records.createRecords(added as never)
      await untilDone(api, tableId)

      const expected = recordIds.map((_, index) => numberAt(index))
      expected[5] = -1
      expected[count - 5] = null
      expected[count - 1] = -2
      const records = await readAllRecords(api, tableId)
      const cellsOf = (field: string) => records.map(({ fields }) => fields[field] ?? null)
      expect(cellsOf('Value')).toEqual(expected)
      const texts = expected.map((value) => (value === null ? null : `${value}`))
      expect(cellsOf('Text at 0.1')).toEqual(texts)
      expect(cellsOf('Text at 0.3')).toEqual(texts)
      const ids = [...recordIds.slice(0, -1), expect.any(String)]
      expect(records.map(({ id }) => id)).toEqual(ids)
      expect(server.log()).toBe('')
    },
  )
})

/** Makes a table of many records with a text each. */
async function makeTable(api: Api) {
  const [space] = await api.spaces.listSpaces({})
  const { id: baseId } = await api.bases.createBase({ spaceId: space?.id ?? '' })
  const fields = [
    { name: 'Name', type: 'singleLineText' as const },
    { name: 'Value', type: 'singleLineText' as const },
  ]
  const table = await api.tables.createTable({ baseId, fields, records: [] })
  const rows = Array.from({ length: count }, (_, index) => ({ fields: { Value: textAt(index) } }))
  const recordIds: string[] = []
  for (let start = 0; start < count; start += recordsPerCall) {
    const some = { tableId: table.id, records: rows.slice(start, start + recordsPerCall) }
    const { records } = await api.records.createRecords(some)
    recordIds.push(...records.map(({ id }) => id))
  }
  return { tableId: table.id, fieldId: table.fields[1]?.id ?? '', recordIds }
}

/** Adds a field that shows the cells of another one as texts. */
async function addText(api: Api, { tableId, fieldId }: Place, name: string): Promise<void> {
  const options = { expression: `{${fieldId}} & ""` }
  const field = await api.fields.createField({ tableId, type: 'formula', name, options })
  expect(field.isPending).toBe(true)
}

/** Waits until so much of the field is converted, and not yet all of it. */
async function untilShare(api: Api, place: Place, share: number): Promise<void> {
  for (;;) {
    const { isPending, progress = 0 } = await api.fields.getField(place)
    expect(isPending).toBe(true)
    if (progress >= share) return
    await pause(lookEveryMs)
  }
}

async function untilDone(api: Api, tableId: string): Promise<void> {
  while ((await api.fields.listFields({ tableId })).some(({ isPending }) => isPending)) {
    await pause(lookEveryMs)
  }
}
