import { assert } from '../../errors.ts'
import { dependencyOrder } from '../../schemas/dependency-order.ts'
import type { LoadedTable, SchemaGraph } from '../../schemas/schema-graph.ts'
import type { SchemaField } from '../../schemas/table-schema.ts'
import { dependentsIn } from './dependents.ts'

/** Fields of one table that can be computed together: what they depend on is known by then. */
export interface Stage extends LoadedTable {
  /** How many links lie between what was changed and these fields; 0 for the changed records themselves. */
  readonly level: number
  /** Each after those of them that it depends on. */
  readonly fields: readonly SchemaField[]
}

/** Where a calculation begins: fields of one table. */
export interface Origin {
  readonly tableId: string
  /** Fields whose cells were changed. */
  readonly changed: Iterable<string>
  /** Computed fields that are to be computed again, whatever changed. */
  readonly dirty: Iterable<string>
}

interface Affected {
  readonly place: LoadedTable
  readonly schemaField: SchemaField
}

/**
 * The computed fields that follow from the origins, in stages that can be computed one after another.
 * Loads the tables that they are in.
 */
export async function planStages(
  graph: SchemaGraph,
  origins: readonly Origin[],
): Promise<readonly Stage[]> {
  const changed = new Set(origins.flatMap((origin) => [...origin.changed]))
  const dirty = new Set(origins.flatMap((origin) => [...origin.dirty]))
  const affected = await findAffected(graph, origins)
  const stages = new Map<string, { place: LoadedTable; level: number; fields: SchemaField[] }>()
  for (const [fieldId, level] of levelsOf(affected, changed, dirty)) {
    const { place, schemaField } = affected.get(fieldId) as Affected
    const key = `${String(level).padStart(6, '0')} ${place.table.id}`
    const stage = stages.get(key) ?? { place, level, fields: [] }
    stage.fields.push(schemaField)
    stages.set(key, stage)
  }
  return [...stages]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { place, level, fields }]) => ({ ...place, level, fields }))
}

/** All fields that follow from the origins, by id. */
async function findAffected(
  graph: SchemaGraph,
  origins: readonly Origin[],
): Promise<ReadonlyMap<string, Affected>> {
  const affected = new Map<string, Affected>()
  const queue: { readonly tableId: string; readonly fieldId: string }[] = []
  const add = (place: LoadedTable, schemaField: SchemaField) => {
    if (affected.has(schemaField.field.id)) return
    affected.set(schemaField.field.id, { place, schemaField })
    queue.push({ tableId: place.table.id, fieldId: schemaField.field.id })
  }
  for (const { tableId, changed, dirty } of origins) {
    const place = await graph.find(tableId)
    if (!place) continue
    for (const fieldId of changed) queue.push({ tableId, fieldId })
    for (const fieldId of dirty) {
      const schemaField = place.schema.byKey.id.get(fieldId)
      if (schemaField?.computation) add(place, schemaField)
    }
  }
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { tableId, fieldId } = next
    const place = await graph.find(tableId)
    if (!place) continue
    for (const schemaField of dependentsIn(place.schema).own.get(fieldId) ?? []) {
      add(place, schemaField)
    }
    for (const inbound of await graph.load(place.schema.inboundTableIds)) {
      for (const schemaField of dependentsIn(inbound.schema).through.get(fieldId) ?? []) {
        if (readsTable(inbound, schemaField, tableId)) add(inbound, schemaField)
      }
    }
  }
  return affected
}

/** Whether the link through which the field reads leads to the table. */
function readsTable({ schema }: LoadedTable, { computation }: SchemaField, tableId: string) {
  const linkFieldId = computation?.through?.linkFieldId ?? ''
  return schema.byKey.id.get(linkFieldId)?.link?.foreignTableId === tableId
}

/**
 * How many links lie between each affected field and what was changed; the fields are in an order in which
 * each comes after those that it depends on. What isn't affected, and what was changed by hand, is known
 * from the beginning.
 */
function levelsOf(
  affected: ReadonlyMap<string, Affected>,
  changed: ReadonlySet<string>,
  dirty: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const computationOf = (fieldId: string) => affected.get(fieldId)?.schemaField.computation
  const ordered = dependencyOrder(affected.keys(), (fieldId) => {
    const { ownFieldIds = [], through } = computationOf(fieldId) ?? {}
    const read = through ? [...ownFieldIds, ...through.fieldIds] : ownFieldIds
    return read.filter((id) => affected.has(id))
  })
  const levels = new Map<string, number>()
  const levelOf = (fieldId: string) => {
    const level = affected.has(fieldId) ? levels.get(fieldId) : 0
    assert(level !== undefined, `no circle leads through the field ${fieldId}`)
    return level
  }
  for (const fieldId of ordered) {
    const { ownFieldIds = [], through } = computationOf(fieldId) ?? {}
    // A computed field that is dirty is computed after the changes, even when nothing else is.
    let level = dirty.has(fieldId) ? 1 : 0
    for (const id of ownFieldIds) level = Math.max(level, levelOf(id))
    for (const id of through?.fieldIds ?? []) {
      const isKnownLater = changed.has(id) || affected.has(id)
      if (isKnownLater) level = Math.max(level, levelOf(id) + 1)
    }
    levels.set(fieldId, level)
  }
  return levels
}
