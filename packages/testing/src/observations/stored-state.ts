import type { CanonicalRow } from '@gateleg/domain/bases/canonical-reader'
import type { LinkedPair } from '@gateleg/domain/links/link-repository'
import type { SchemaField, TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { ReadTx, Store } from '@gateleg/domain/store'
import type { Table } from '@gateleg/domain/tables/table'

/** All that is stored of bases but versions, who changed something last and when, and things in the trash other than records. */
export interface StoredState {
  /** The rows of fields, views, tables and so on, by kind. */
  readonly structure: object
  /** The cells of living records by table, record and physical column. */
  readonly living: Readonly<Record<string, Cells>>
  /** What callers wrote into the cells of records in the trash. */
  readonly trashed: Readonly<Record<string, Cells>>
  /** The pairs of each link field in the order of its cells. */
  readonly pairs: Readonly<Record<string, readonly Pair[]>>
  /** Those of which a record lies in the trash. */
  readonly lostPairs: Readonly<Record<string, readonly Pair[]>>
}

type Cells = Readonly<Record<string, unknown>>
type Pair = readonly [recordId: string, foreignId: string]

/** Members that change with every change of what they are of, and those of what deleted it. */
const changing = new Set([
  ...['version', 'lastModifiedTime', 'lastModifiedBy'],
  ...['deletionId', 'deletedTime', 'deletedBy', 'isPending'],
])

/** Members that are JSON. */
const texts = new Set(['options', 'lookupOptions', 'result', 'aiConfig', 'columnMeta', 'rowOrder'])

/** Members of them that are left out: choices, and which version of a view gave rows other places. */
const leftOut = new Set(['choices', 'renumberedVersion', 'numbering'])

/** Records that are read at a time. */
const recordsRead = 1_000

/** What is stored of bases; choices are left out, as those that cells bring stay when these go. */
export function storedState(store: Store, baseIds: readonly string[]): Promise<StoredState> {
  return store.read((tx) => readStoredState(tx, baseIds))
}

/** The state that is stored, as a snapshot sees it that is there already. */
export async function readStoredState(
  tx: ReadTx,
  baseIds: readonly string[],
): Promise<StoredState> {
  // Whatever doesn't follow from another answer is asked at once: a database then answers without being waited for.
  const bases = await Promise.all(baseIds.map((baseId) => readBase(tx, baseId)))
  const tables = bases.flatMap((base) => base.tables)
  return {
    structure: bases.map(({ structure }) => structure),
    living: Object.assign({}, ...tables.map(({ living }) => living)),
    trashed: Object.assign({}, ...tables.map(({ trashed }) => trashed)),
    pairs: Object.assign({}, ...tables.map(({ pairs }) => pairs)),
    lostPairs: Object.assign({}, ...tables.map(({ lostPairs }) => lostPairs)),
  }
}

async function readBase(tx: ReadTx, baseId: string) {
  const { bases, tables, fields, views, ...others } = await tx.canonical.structure(baseId)
  const kinds = { bases, tables, fields, views, nodes: others.nodes, folders: others.folders }
  const structure = Object.fromEntries(
    Object.entries(kinds).map(([kind, rows]) => [kind, rows.filter(isLiving).map(toRow)]),
  )
  const living = tables.filter(isLiving).map(({ id }) => id as string)
  const found = await tx.tables.findAll(living, 'none')
  const read = async (table: Table) => readTable(tx, await tx.fields.schemaOf(table))
  return { structure, tables: await Promise.all(found.map(read)) }
}

/** The state without what the other one knows nothing of: records that are in the trash there is no word of. */
export function asFarAsIn(known: StoredState, state: StoredState): StoredState {
  const isKnown = (id: string) => id in known.living || id in known.trashed
  const trashed = Object.entries(state.trashed).filter(([id]) => id in known.trashed)
  const lostPairs = Object.entries(state.lostPairs).map(([fieldId, all]) => [
    fieldId,
    all.filter((pair) => pair.every(isKnown)),
  ])
  return {
    ...state,
    trashed: Object.fromEntries(trashed),
    lostPairs: Object.fromEntries(lostPairs),
  }
}

type TableState = Omit<StoredState, 'structure'>

async function readTable(tx: ReadTx, schema: TableSchema): Promise<TableState> {
  const living: Record<string, Cells> = {}
  const trashed: Record<string, Cells> = {}
  const ids: string[] = []
  const written = schema.fields.filter(isWritten)
  for (let after = 0; ; ) {
    const { rows, isCut } = await tx.canonical.records(
      { tableId: schema.tableId, after },
      recordsRead,
    )
    for (const row of rows) {
      const id = row.id as string
      ids.push(id)
      if (isLiving(row)) living[id] = cellsIn(row, schema.fields)
      else trashed[id] = cellsIn(row, written)
    }
    const last = rows.at(-1)
    if (!last || (!isCut && rows.length < recordsRead)) break
    after = last.autoNumber as number
  }
  const pairs: Record<string, readonly Pair[]> = {}
  const lostPairs: Record<string, readonly Pair[]> = {}
  const links = schema.fields.flatMap(({ field, link }) => (link ? { field, end: link.end } : []))
  await Promise.all(
    links.map(async ({ field, end }) => {
      const [found, all] = await Promise.all([tx.links.of(end, ids), tx.links.of(end, ids, 'all')])
      const ofLiving = new Set(found.map((pair) => `${toPair(pair)}`))
      pairs[field.id] = found.map(toPair)
      lostPairs[field.id] = all
        .map(toPair)
        .filter((pair) => !ofLiving.has(`${pair}`))
        .toSorted()
    }),
  )
  return { living, trashed, pairs, lostPairs }
}

function toPair({ recordId, foreignId }: LinkedPair): Pair {
  return [recordId, foreignId]
}

function cellsIn({ cells }: CanonicalRow, fields: readonly SchemaField[]): Cells {
  const all = cells as Cells
  return Object.fromEntries(
    fields.flatMap(({ field, column }) =>
      column ? [[`${field.id} ${column.name}`, all[column.name] ?? null]] : [],
    ),
  )
}

/** Whether callers write into the cells of the field, and these say all that there is of them. */
function isWritten({ isWritable, link }: SchemaField): boolean {
  return isWritable && !link
}

function isLiving({ deletionId }: CanonicalRow): boolean {
  return (deletionId ?? null) === null
}

function toRow(row: CanonicalRow): object {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([member]) => !changing.has(member))
      .map(([member, value]) => [member, texts.has(member) ? fromText(value) : value]),
  )
}

function fromText(text: unknown): unknown {
  if (typeof text !== 'string') return text
  return JSON.parse(text, (name, value) => (leftOut.has(name) ? undefined : value))
}

/** What differs between two states, a line for each value: its place, and what is there and was expected. */
export function differencesOf(found: unknown, expected: unknown, place = ''): readonly string[] {
  if (JSON.stringify(found) === JSON.stringify(expected)) return []
  const [a, b] = [found, expected].map((one) => (isOpen(one) ? one : undefined))
  if (!a || !b) {
    return [`${place}: found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`]
  }
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].flatMap((name) => differencesOf(a[name], b[name], `${place}/${name}`))
}

function isOpen(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
