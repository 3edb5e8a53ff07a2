import { assert } from '../errors.ts'
import type { SchemaField } from '../fields/table-schema.ts'
import { dependentsIn } from './dependents.ts'
import type { GraphTable, SchemaGraph } from './schema-graph.ts'

/** Fields of one table that can be worked out together: what they depend on is known by then. */
export interface Stage extends GraphTable {
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
  /** Computed fields that are to be worked out anew, whatever changed. */
  readonly dirty: Iterable<string>
}

interface Affected {
  readonly place: GraphTable
  readonly schemaField: SchemaField
}

/**
 * The computed fields that follow from the origins, in stages that can be worked out one after another.
 * Loads the tables that they are in.
 */
export async function planStages(
  graph: SchemaGraph,
  origins: readonly Origin[],
): Promise<readonly Stage[]> {
  const changed = new Set(origins.flatMap((origin) => [...origin.changed]))
  const dirty = new Set(origins.flatMap((origin) => [...origin.dirty]))
  const affected = await findAffected(graph, origins)
  const levels = new Levels(affected, changed, dirty)
  const stages = new Map<string, { place: GraphTable; level: number; fields: SchemaField[] }>()
  for (const { place, schemaField } of levels.inOrder()) {
    const level = levels.of(schemaField.field.id)
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
  const add = (place: GraphTable, schemaField: SchemaField) => {
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
function readsTable({ schema }: GraphTable, { computation }: SchemaField, tableId: string) {
  const linkFieldId = computation?.through?.linkFieldId ?? ''
  return schema.byKey.id.get(linkFieldId)?.link?.foreignTableId === tableId
}

/** Finds for each affected field how many links lie between it and what was changed. */
class Levels {
  readonly #affected: ReadonlyMap<string, Affected>
  readonly #changed: ReadonlySet<string>
  readonly #dirty: ReadonlySet<string>
  readonly #levels = new Map<string, number>()

  constructor(
    affected: ReadonlyMap<string, Affected>,
    changed: ReadonlySet<string>,
    dirty: ReadonlySet<string>,
  ) {
    this.#affected = affected
    this.#changed = changed
    this.#dirty = dirty
  }

  /** The affected fields, each after those that it depends on. */
  inOrder(): Affected[] {
    for (const id of this.#affected.keys()) this.of(id)
    return [...this.#levels.keys()].flatMap((id) => this.#affected.get(id) ?? [])
  }

  /** What isn't affected, and what was changed by hand, is known from the beginning. */
  of(fieldId: string): number {
    const found = this.#levels.get(fieldId)
    if (found !== undefined) {
      assert(found >= 0, `no circle leads through the field ${fieldId}`)
      return found
    }
    const computation = this.#affected.get(fieldId)?.schemaField.computation
    if (!computation) return 0
    this.#levels.set(fieldId, -1)
    // A computed field that is dirty is worked out after the changes, even when nothing else is.
    let level = this.#dirty.has(fieldId) ? 1 : 0
    for (const id of computation.ownFieldIds) level = Math.max(level, this.of(id))
    const { through } = computation
    if (through && this.#isKnownLater(through.fieldId)) {
      level = Math.max(level, this.of(through.fieldId) + 1)
    }
    // Set anew, so that the keys are in the order in which levels became known.
    this.#levels.delete(fieldId)
    this.#levels.set(fieldId, level)
    return level
  }

  #isKnownLater(fieldId: string): boolean {
    return this.#changed.has(fieldId) || this.#affected.has(fieldId)
  }
}
