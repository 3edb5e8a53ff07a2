import type { Api } from '@gateleg/domain/api'
import { DomainError, type ErrorCode } from '@gateleg/domain/errors'
import fc from 'fast-check'
import { expect } from 'vitest'

/** What all writers write to. */
export interface SharedPlace {
  readonly baseId: string
  readonly tableId: string
  /** Records that everybody changes, each writer in a field of its own. */
  readonly recordIds: readonly string[]
  /** Nodes that stay where they are among their siblings' creation; others are moved beside them. */
  readonly anchorIds: readonly string[]
}

/** One thing that a writer does. */
export interface Deed {
  readonly kind: DeedName
  /** Through which of the servers. */
  readonly server: number
  /** Chooses what it is done to. */
  readonly pick: number
}

/** The field of a writer in the shared records. */
export function fieldOf(writer: number): string {
  return `Writer ${writer}`
}

/** The field that all writers count up. */
export const countField = 'Count'

/** One of many that write at the same time; remembers what it was told is done. */
export class ConcurrentWriter {
  /** The last value written, by record. */
  readonly cells = new Map<string, number>()
  /** How often it counted a record up. */
  readonly counts = new Map<string, number>()
  /** The numbers of the records that it made, by id. */
  readonly numbers = new Map<string, number>()
  readonly deletedRecordIds = new Set<string>()
  /** The parent of each of its nodes, by id. */
  readonly parents = new Map<string, string | null>()
  readonly names = new Map<string, string>()
  readonly fieldIds = new Set<string>()
  done = 0
  /** Times that it came too late, and was told so. */
  tooLate = 0
  readonly number: number
  readonly place: SharedPlace
  readonly #apis: readonly Api[]

  constructor(number: number, place: SharedPlace, apis: readonly Api[]) {
    this.number = number
    this.place = place
    this.#apis = apis
  }

  async do({ kind, server, pick }: Deed): Promise<void> {
    const api = pickFrom(this.#apis, server)
    const { may, run } = deeds[kind]
    try {
      await run(this, api, pick)
      this.done++
    } catch (error) {
      if (!(error instanceof DomainError) || !may.includes(error.code)) throw error
      this.tooLate++
    }
  }

  /** A name that nobody else gives. */
  newName(): string {
    return `${this.number}.${this.done}.${this.tooLate}`
  }
}

type Run = (writer: ConcurrentWriter, api: Api, pick: number) => Promise<unknown>

interface DeedKind {
  readonly weight: number
  /** Refusals that are right: what others did came before. */
  readonly may: readonly ErrorCode[]
  readonly run: Run
}

function pickFrom<T>(all: readonly T[], pick: number): T {
  const one = all[pick % all.length]
  if (one === undefined) throw new Error('There is nothing to pick from')
  return one
}

const setCell: Run = async (writer, api, pick) => {
  const { tableId, recordIds } = writer.place
  const recordId = pickFrom(recordIds, pick)
  const fields = { [fieldOf(writer.number)]: pick }
  const record = await api.records.updateRecord({ tableId, recordId, record: { fields } })
  writer.cells.set(recordId, pick)
  expect(record.fields).toMatchObject(fields)
}

/** In any order: whoever holds records must take them in one. */
const setCells: Run = async (writer, api, pick) => {
  const { tableId, recordIds } = writer.place
  const chosen = [...new Set([pick, pick >> 3, pick >> 6].map((each) => pickFrom(recordIds, each)))]
  const fields = { [fieldOf(writer.number)]: pick }
  await api.records.updateRecords({ tableId, records: chosen.map((id) => ({ id, fields })) })
  for (const id of chosen) writer.cells.set(id, pick)
}

const countUp: Run = async (writer, api, pick) => {
  const { tableId, recordIds } = writer.place
  const recordId = pickFrom(recordIds, pick)
  const read = await api.records.getRecord({ tableId, recordId })
  const { version } = read as typeof read & { readonly version: number }
  const fields = { [countField]: Number(read.fields[countField] ?? 0) + 1 }
  const record = { fields }
  await api.records.updateRecord({ tableId, recordId, record }, { ifMatch: [version] })
  writer.counts.set(recordId, (writer.counts.get(recordId) ?? 0) + 1)
}

const createRecords: Run = async (writer, api, pick) => {
  const { tableId } = writer.place
  const fields = { [fieldOf(writer.number)]: pick }
  const records = Array.from({ length: 1 + (pick % 5) }, () => ({ fields }))
  const answer = await api.records.createRecords({ tableId, records })
  for (const { id, autoNumber } of answer.records) {
    writer.numbers.set(id, autoNumber)
    writer.cells.set(id, pick)
  }
}

const deleteRecord: Run = async (writer, api, pick) => {
  const living = [...writer.numbers.keys()].filter((id) => !writer.deletedRecordIds.has(id))
  if (living.length === 0) return
  const recordId = pickFrom(living, pick)
  await api.records.deleteRecord({ tableId: writer.place.tableId, recordId })
  writer.deletedRecordIds.add(recordId)
}

const listRecords: Run = async (writer, api) => {
  const { tableId, recordIds } = writer.place
  const { records } = await api.records.listRecords({ tableId, take: 200 })
  const numbers = records.map(({ autoNumber }) => autoNumber)
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
  // What was written is read at once, through whichever server.
  const mine = new Map(records.map(({ id, fields }) => [id, fields[fieldOf(writer.number)]]))
  for (const id of recordIds) expect(mine.get(id)).toBe(writer.cells.get(id))
}

const createNode: Run = async (writer, api, pick) => {
  const { baseId, anchorIds } = writer.place
  const parentId = pick % 2 === 0 ? null : pickFrom(anchorIds, pick)
  const name = writer.newName()
  const resourceType = pick % 3 === 0 ? 'dashboard' : 'folder'
  const node = await api.tree.createNode({ baseId, resourceType, name, parentId })
  writer.parents.set(node.id, parentId)
  writer.names.set(node.id, name)
}

function pickNode(writer: ConcurrentWriter, pick: number): string | undefined {
  const nodeIds = [...writer.parents.keys()]
  return nodeIds.length === 0 ? undefined : pickFrom(nodeIds, pick)
}

const moveNode: Run = async (writer, api, pick) => {
  const { baseId, anchorIds } = writer.place
  const nodeId = pickNode(writer, pick)
  if (nodeId === undefined) return
  const anchorId = pickFrom(anchorIds, pick)
  const destination =
    pick % 2 === 0
      ? { anchorId, position: pick % 4 === 0 ? ('before' as const) : ('after' as const) }
      : { parentId: anchorId }
  const node = await api.tree.moveNode({ baseId, nodeId, ...destination })
  writer.parents.set(nodeId, node.parentId)
  expect(node.parentId).toBe(pick % 2 === 0 ? null : anchorId)
}

const renameNode: Run = async (writer, api, pick) => {
  const nodeId = pickNode(writer, pick)
  if (nodeId === undefined) return
  const name = writer.newName()
  await api.tree.updateNode({ baseId: writer.place.baseId, nodeId, name })
  writer.names.set(nodeId, name)
}

const deleteNode: Run = async (writer, api, pick) => {
  const nodeId = pickNode(writer, pick)
  if (nodeId === undefined) return
  await api.tree.deleteNode({ baseId: writer.place.baseId, nodeId })
  writer.parents.delete(nodeId)
  writer.names.delete(nodeId)
}

const listNodes: Run = async (writer, api) => {
  const nodes = await api.tree.listNodes({ baseId: writer.place.baseId })
  const found = new Map(nodes.map((node) => [node.id, node]))
  for (const [id, parentId] of writer.parents) {
    expect(found.get(id)).toMatchObject({ parentId, resourceMeta: { name: writer.names.get(id) } })
  }
}

/** Makes a field, writes to it and reads it, each maybe through a schema that others change meanwhile. */
const createField: Run = async (writer, api, pick) => {
  const { tableId, recordIds } = writer.place
  const name = writer.newName()
  const field = await api.fields.createField({ tableId, type: 'singleLineText', name })
  writer.fieldIds.add(field.id)
  const recordId = pickFrom(recordIds, pick)
  const record = { fields: { [name]: name } }
  const answer = await api.records.updateRecord({ tableId, recordId, record })
  expect(answer.fields).toMatchObject(record.fields)
}

const deleteField: Run = async (writer, api, pick) => {
  const mine = [...writer.fieldIds]
  if (mine.length === 0) return
  const fieldId = pickFrom(mine, pick)
  await api.fields.deleteField({ tableId: writer.place.tableId, fieldId })
  writer.fieldIds.delete(fieldId)
}

const kinds = {
  setCell: { weight: 8, may: [], run: setCell },
  setCells: { weight: 4, may: [], run: setCells },
  countUp: { weight: 3, may: ['precondition_failed'], run: countUp },
  createRecords: { weight: 4, may: [], run: createRecords },
  deleteRecord: { weight: 2, may: [], run: deleteRecord },
  listRecords: { weight: 2, may: [], run: listRecords },
  createNode: { weight: 2, may: [], run: createNode },
  moveNode: { weight: 4, may: [], run: moveNode },
  renameNode: { weight: 1, may: [], run: renameNode },
  deleteNode: { weight: 1, may: [], run: deleteNode },
  listNodes: { weight: 1, may: [], run: listNodes },
  createField: { weight: 1, may: [], run: createField },
  deleteField: { weight: 1, may: [], run: deleteField },
} as const satisfies Record<string, DeedKind>

type DeedName = keyof typeof kinds
const deeds: Readonly<Record<DeedName, DeedKind>> = kinds

/** Deeds of one writer, in their order. */
export function deedsArbitrary(count: number): fc.Arbitrary<Deed[]> {
  const names = Object.keys(deeds) as DeedName[]
  const kind = fc.oneof(
    ...names.map((name) => ({ weight: deeds[name].weight, arbitrary: fc.constant(name) })),
  )
  const deed = fc.record({ kind, server: fc.nat(1), pick: fc.nat(1_000_000) })
  return fc.array(deed, { minLength: count, maxLength: count })
}
