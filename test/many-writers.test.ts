import type { Api } from '@gateleg/domain/api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ConcurrentWriter,
  countField,
  type Deed,
  deedsArbitrary,
  fieldOf,
  type SharedPlace,
} from './concurrent-writer.ts'
import { type FreshDatabase, makeDatabase } from './fresh-database.ts'
import { readAllRecords } from './record-batches.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { isOn } from './storages.ts'

const writers = 16
const sharedRecords = 12

/** Deeds of each writer; they begin anew while MANY_WRITERS_SECONDS, if it is set, last. */
const deedsPerWriter = 60
const seconds = Number(process.env.MANY_WRITERS_SECONDS ?? 0)
const timeout = 120_000 + seconds * 2_000

describe.runIf(isOn('postgres'))('many writers of one table and tree on two servers', () => {
  let database: FreshDatabase
  let servers: readonly ServerProcess[]
  let apis: readonly [Api, Api]
  let place: SharedPlace

  beforeAll(async () => {
    database = await makeDatabase()
    const start = () => startServer({ DATABASE_URL: database.connectionString })
    const [one, two] = await Promise.all([start(), start()])
    servers = [one, two]
    const { accessToken } = await one.api().accounts.signUp({
      email: 'ada@example.com',
      password: 'all at once 1',
    })
    apis = [one.api(accessToken), two.api(accessToken)]
    place = await makePlace(apis[0])
  })

  afterAll(async () => {
    for (const server of servers) await server.kill()
    await database.drop()
  })

  test(
    '[SERVER-19] lose nothing, get nothing twice and are not refused for being many',
    async () => {
      const plan = deedsArbitrary(deedsPerWriter)
      const plans = fc.array(plan, { minLength: writers, maxLength: writers })
      await fc.assert(fc.asyncProperty(plans, writeAndCheck), { numRuns: 1, endOnFailure: true })
    },
    timeout,
  )

  async function writeAndCheck(plans: readonly (readonly Deed[])[]): Promise<void> {
    const all = plans.map((_, number) => new ConcurrentWriter(number, place, apis))
    const start = performance.now()
    const isOver = () => performance.now() - start > seconds * 1_000
    await Promise.all(
      all.map(async (writer, number) => {
        do for (const deed of plans[number] ?? []) await writer.do(deed)
        while (!isOver())
      }),
    )
    report(all, performance.now() - start)
    for (const api of apis) {
      expect(await api.bases.verifyBase({ baseId: place.baseId })).toMatchObject({ problems: [] })
      await checkRecords(api, place, all)
      await checkNodes(api, place, all)
      await checkFields(api, place, all)
    }
    for (const server of servers) expect(server.log()).toBe('')
  }
})

type Writers = readonly ConcurrentWriter[]

function sum(all: Writers, countOf: (writer: ConcurrentWriter) => number): number {
  return all.reduce((total, writer) => total + countOf(writer), 0)
}

async function checkRecords(api: Api, place: SharedPlace, all: Writers): Promise<void> {
  const records = await readAllRecords(api, place.tableId)
  const found = new Map(records.map((record) => [record.id, record]))
  for (const { cells, deletedRecordIds, number } of all) {
    for (const [id, value] of cells) {
      const cell = found.get(id)?.fields[fieldOf(number)]
      expect(cell, `${id} of writer ${number}`).toBe(deletedRecordIds.has(id) ? undefined : value)
    }
  }
  for (const id of place.recordIds) {
    const counted = sum(all, ({ counts }) => counts.get(id) ?? 0)
    expect(found.get(id)?.fields[countField] ?? 0).toBe(counted)
  }
  const living = records.map(({ autoNumber }) => autoNumber ?? 0)
  expect(living).toEqual(living.toSorted((a, b) => a - b))
  const made = all.flatMap(({ numbers }) => [...numbers.values()])
  expect(new Set(made).size).toBe(made.length)
  const deleted = sum(all, ({ deletedRecordIds }) => deletedRecordIds.size)
  expect(records).toHaveLength(place.recordIds.length + made.length - deleted)
}

async function checkNodes(api: Api, place: SharedPlace, all: Writers): Promise<void> {
  const nodes = await api.tree.listNodes({ baseId: place.baseId })
  for (const siblings of Map.groupBy(nodes, ({ parentId }) => parentId).values()) {
    expect(new Set(siblings.map(({ order }) => order)).size).toBe(siblings.length)
  }
  const found = new Map(nodes.map((node) => [node.id, node]))
  for (const { parents, names } of all) {
    for (const [id, parentId] of parents) {
      expect(found.get(id)).toMatchObject({ parentId, resourceMeta: { name: names.get(id) } })
    }
  }
  // The anchors, and the table's own node.
  expect(nodes).toHaveLength(sum(all, ({ parents }) => parents.size) + place.anchorIds.length + 1)
}

async function checkFields(api: Api, place: SharedPlace, all: Writers): Promise<void> {
  const fields = await api.fields.listFields({ tableId: place.tableId })
  const made = all.flatMap(({ fieldIds }) => [...fieldIds])
  // The name, the count and one of each writer were there before.
  const ids = fields.slice(2 + writers).map(({ id }) => id)
  expect(ids.toSorted()).toEqual(made.toSorted())
}

function report(all: Writers, elapsedMs: number): void {
  if (seconds === 0) return
  const done = sum(all, (writer) => writer.done)
  const tooLate = sum(all, (writer) => writer.tooLate)
  process.stdout.write(
    `${done} deeds of ${writers} writers in ${(elapsedMs / 1_000).toFixed(1)} s; ${tooLate} more came too late\n`,
  )
}

async function makePlace(api: Api): Promise<SharedPlace> {
  const [space] = await api.spaces.listSpaces({})
  const { id: baseId } = await api.bases.createBase({ spaceId: space?.id ?? '' })
  const table = await api.tables.createTable({
    baseId,
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: countField, type: 'number' },
      ...Array.from({ length: writers }, (_, number) => ({
        name: fieldOf(number),
        type: 'number' as const,
      })),
    ],
    records: Array.from({ length: sharedRecords }, () => ({ fields: {} })),
  })
  const anchorIds: string[] = []
  for (const name of ['A', 'B', 'C']) {
    const node = await api.tree.createNode({ baseId, resourceType: 'folder', name })
    anchorIds.push(node.id)
  }
  return { baseId, tableId: table.id, recordIds: table.records.map(({ id }) => id), anchorIds }
}
