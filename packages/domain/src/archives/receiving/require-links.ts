import type { Field } from '../../fields/field.ts'
import { hasMany, type LinkEnd } from '../../fields/link-end.ts'
import { linkCapabilityOf } from '../../fields/link-of.ts'
import { limits } from '../../limits.ts'
import type { LinkedPair } from '../../links/link-repository.ts'
import type { RecordChange } from '../../records/record-writer.ts'
import type { WriteTx } from '../../store.ts'
import { groupsOf } from '../writing/write-records.ts'
import { loadSchema, loadTable, type Receiving } from './receiving.ts'

/** The field as it is made: its cells follow from links, which come after the records, and may be empty until then. */
export function asReceived(field: Field): Field {
  return linkCapabilityOf(field) ? { ...field, notNull: false } : field
}

/**
 * Has those links be required which the archive says are: all links have come. Their cells name records without titles until
 * they are computed. Throws validation_error where one is empty.
 */
export async function requireLinks(receiving: Receiving): Promise<void> {
  for (const field of receiving.made.fields.values()) {
    const capability = linkCapabilityOf(field)
    if (!capability || !field.notNull) continue
    await fillCells(receiving, field, capability.endOf(field.options))
    // One in the trash is required when it comes back.
    if (receiving.made.deletions.has(field.id)) continue
    await receiving.context.store.write((tx) => requireOne(receiving, tx, field))
  }
}

async function requireOne(receiving: Receiving, tx: WriteTx, field: Field): Promise<void> {
  const { context, reader } = receiving
  const { ids } = context
  const schema = await loadSchema(receiving, tx, field.tableId)
  const known = schema.byKey.id.get(field.id)
  // What it reads may have gone while the archive was written: it has an error then, and asks for nothing.
  if (!known?.column || known.field.hasError) return
  if (await tx.columns.hasEmpty(schema, known.column)) {
    throw reader.wrong(`"${field.name}" is required, and a record has no link there`)
  }
  const table = await loadTable(tx, field.tableId)
  const required = { ...known.field, notNull: true }
  await tx.fields.update(table, known.field, required)
  await tx.fields.requireValues(table, required)
  await tx.tables.renewSchema(table.id, ids.revision())
}

async function fillCells(receiving: Receiving, field: Field, end: LinkEnd): Promise<void> {
  const { store } = receiving.context
  const isInTrash = receiving.made.deletions.has(field.id)
  const step = { take: limits.recordsPerCalculation, withDeleted: true }
  for (let after = 0; ; ) {
    const { numbers, deleted } = await store.read(async (tx) => {
      const schema = await loadSchema(receiving, tx, field.tableId)
      const { records } = await tx.recordScanner.next(schema, { ...step, after }, [])
      const numbers = new Map(records.map(({ id, autoNumber }) => [id, autoNumber]))
      return { numbers, deleted: await tx.records.deletionsOf(schema, [...numbers.keys()]) }
    })
    const last = [...numbers.values()].at(-1)
    if (last === undefined) return
    // Nobody takes links out of the cells of what lies in the trash.
    const isWhole = (id: string) => isInTrash || deleted.has(id)
    for (const which of ['living', 'all'] as const) {
      const ids = [...numbers.keys()].filter((id) => isWhole(id) === (which === 'all'))
      const counts = await store.read((tx) => tx.links.count(end, ids, which))
      for (const group of groupsOf(ids, counts)) {
        await store.write(async (tx) => {
          const schema = await loadSchema(receiving, tx, field.tableId)
          const column = schema.byKey.id.get(field.id)?.column
          if (!column) return
          const changes = toChanges(await tx.links.of(end, group, which), numbers, end)
          await tx.recordWriter.setCells(schema, [column], changes, { keepsVersions: true })
        })
      }
    }
    after = last
  }
}

function toChanges(
  pairs: readonly LinkedPair[],
  numbers: ReadonlyMap<string, number>,
  { relationship }: LinkEnd,
): readonly RecordChange[] {
  const byRecord = Map.groupBy(pairs, ({ recordId }) => recordId)
  return [...byRecord].map(([recordId, ofRecord]) => {
    const items = ofRecord.map(({ foreignId: id }) => ({ id }))
    const cell = hasMany(relationship) ? items : (items[0] ?? null)
    return { autoNumber: numbers.get(recordId) ?? 0, values: [cell] }
  })
}
