import type { StoredRecord } from '@gateleg/domain/records/stored/stored-record'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { QueryValues } from '../arbitraries/record-query.ts'
import { SeededRandom } from '../doubles/seeded-random.ts'
import type { TestStorage } from '../test-engine.ts'
import { choices, fieldsOfEveryKind, linkedFields } from './fields-of-every-kind.ts'
import { openTableWorld, type TableWorld, type TestTable } from './table-world.ts'

/** A world with a table that has fields of every kind, and records with what is hard to filter and sort. */
export interface QueryWorld extends TableWorld {
  readonly tableId: string
  readonly schema: TableSchema
  /** The records as they are stored, by their numbers. */
  readonly records: readonly StoredRecord[]
  readonly values: QueryValues
  /** The names of the users, by id. */
  readonly names: ReadonlyMap<string, string>
}

const texts = [
  ...['', 'Ada', 'ada', 'ADA', 'Ángel', 'ängstlich', 'STRASSE', 'straße', 'ẞ', 'İstanbul', 'ıI'],
  ...[
    'ΣΊΣΥΦΟΣ',
    'σίσυφος',
    'ſ',
    'ﬀ',
    '\u{1f600}',
    '\uffee',
    'a%b',
    'a_b',
    'a\\b',
    "o'clock",
    '"q"',
  ],
  ...['10', '9', ' 9', 'null', 'true', 'K', 'µm', 'μm', 'Ꭰ', 'ꭰ', '\u{10400}', '\u{10428}'],
]
const numbers = [
  ...[0, 1, -1, 0.1, 0.30000000000000004, 1e21, -1e-7, 5e-324, 1.7976931348623157e308, 42],
  ...[1.005, 2.5, -0.125, 1e23, 1234567.891, -0.001],
]
const moments = [
  ...['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ...['2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00.000Z', '2024-02-29T12:00:00.000Z'],
  ...['2026-01-01T00:00:00.000Z', '2025-12-31T22:30:00.000Z', '2026-01-09T05:06:07.089Z'],
  ...['1883-11-18T17:00:00.000Z', '1850-01-01T00:00:00.000Z', '2150-06-01T00:00:00.000Z'],
  ...['2026-03-29T00:59:59.999Z', '2026-03-29T01:00:00.000Z', '2026-10-25T00:30:00.000Z'],
]

/** Words of SQL, and names that statements give to what they make: no column that is called so may be taken for these. */
const words = [
  ...['True', 'value', 'false', 'null', 'key', 'number', 'found', 'n', 'p', 't', 'v', 's0', 'r0'],
  ...['r1', 'g0', 'meets', 'bytes', 'i', 'w', 'k', 'c0', 'x0', 'n0', 'id', 'e', 'f', 'a', 'b', 'z'],
  ...['d', 'u', 'o', 'place', 'hits', 'list', 'text', 'name', 'upto', 'own', 'rows', 'made_by'],
]

/** The fields with columns that are called so. */
function calledLikeWords<Definition extends object>(fields: readonly Definition[]) {
  return fields.map((field, index) => ({ ...field, dbFieldName: words[index % words.length] }))
}

/** Opens a world with such a table. Close it at the end of the tests. */
export async function openQueryWorld(storage: TestStorage): Promise<QueryWorld> {
  const world = await openTableWorld(storage)
  const { api, ada, engine } = world
  const grace = await world.newCollaborator('Grace', 'editor')
  const zoe = await world.newCollaborator('zed', 'editor')
  const userIds = [ada.userId, grace.userId, zoe.userId]
  const random = new SeededRandom()
  random.restart(7)
  const below = (count: number) => Number.parseInt(random.digits(4), 10) % count
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  const orEmpty = <T>(value: T): T | null => (below(5) === 0 ? null : value)
  const some = <T>(items: readonly T[]): readonly T[] => items.filter(() => below(2) === 0)
  const other = await world.makeTable(
    'Other',
    calledLikeWords(linkedFields),
    Array.from({ length: 12 }, () => ({
      Title: orEmpty(pick(texts)),
      Amount: orEmpty(pick(numbers)),
      Day: orEmpty(pick(moments)),
      Is: orEmpty(true),
      Level: orEmpty(pick(choices)),
      Who: orEmpty(pick(userIds)),
    })),
  )
  const main = await world.makeTable('Main', calledLikeWords(fieldsOfEveryKind(other.id)), [])
  await addLookups(world, main, other)
  await world.addField(main, { type: 'singleLineText', name: 'Gone' })
  await world.addField(main, { type: 'formula', name: 'Broken', options: { expression: '{Gone}' } })
  const gone = await world.fieldOf(main, 'Gone')
  const ids: string[] = []
  for (let batch = 0; batch < 8; batch++) {
    world.clock.advance(40_000_000)
    const rows = Array.from({ length: 8 }, () => ({
      Name: orEmpty(pick(texts)),
      Notes: orEmpty(`${pick(texts)}\n${pick(texts)}`),
      Number: orEmpty(pick(numbers)),
      Stars: orEmpty(1 + below(5)),
      Done: orEmpty(below(2) === 0),
      Date: orEmpty(pick(moments)),
      Time: orEmpty(pick(moments)),
      Month: orEmpty(pick(moments)),
      Year: orEmpty(pick(moments)),
      One: orEmpty(pick(choices)),
      Some: orEmpty(some(choices)),
      User: orEmpty(pick(userIds)),
      Users: orEmpty(some(userIds)),
      Button: orEmpty({ count: below(3) }),
      Link: orEmpty({ id: pick(other.recordIds) }),
      Links: orEmpty(some(other.recordIds).map((id) => ({ id }))),
      Gone: 'gone',
    }))
    ids.push(...(await world.add(main, ...rows)))
  }
  for (const id of ids.filter((_, index) => index % 3 === 0))
    await world.change(main, id, { Stars: 1 })
  await world.remove(main, ids[5], ids[17])
  await api.fields.deleteField({ tableId: main.id, fieldId: gone.id })
  await world.finishJobs()
  return engine.store.read(async (tx) => {
    const [table] = await tx.tables.findAll([main.id], 'none')
    if (!table) throw new Error('the table was made')
    const schema = await tx.fields.schemaOf(table)
    const { records } = await tx.recordScanner.next(schema, { after: 0, take: 1_000 })
    const names = await tx.users.namesOf(userIds)
    const values = { texts, numbers, moments, userIds, recordIds: other.recordIds }
    return { ...world, tableId: main.id, schema, records, values, names }
  })
}

/** Adds lookups of each field of the linked table through both links, and a rollup. */
async function addLookups(world: TableWorld, main: TestTable, other: TestTable): Promise<void> {
  const links = [await world.fieldOf(main, 'Link'), await world.fieldOf(main, 'Links')]
  const looked = await world.api.fields.listFields({ tableId: other.id })
  for (const link of links) {
    for (const { id, name, type } of looked.filter(({ type }) => type !== 'link')) {
      await world.addField(main, {
        type,
        name: `${link.name} ${name}`,
        isLookup: true,
        lookupOptions: { foreignTableId: other.id, linkFieldId: link.id, lookupFieldId: id },
      })
    }
  }
  await world.addField(main, {
    type: 'rollup',
    name: 'Titles',
    options: { expression: 'array_join({values})' },
    lookupOptions: {
      foreignTableId: other.id,
      linkFieldId: links[1]?.id,
      lookupFieldId: looked[0]?.id,
    },
  })
}
