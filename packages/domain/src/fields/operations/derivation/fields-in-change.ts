import { limits } from '../../../limits.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { Table } from '../../../tables/table.ts'
import type { ForeignTable } from '../../computed/derivation.ts'
import type { Field } from '../../field.ts'
import { settingsLength } from '../definition/options-room.ts'
import type { FieldChange } from '../field-change.ts'
import { isTitle } from './field-sources.ts'

/** A table whose fields are becoming others, one after another. */
interface TableInChange {
  readonly table: Table
  readonly fields: Map<string, Field>
  /** As links see the table; follows the fields. */
  readonly foreign: ForeignTable & { readonly titleFieldIds: Set<string> }
  readonly changes: Map<string, FieldChange>
  /** Characters that the settings of all its fields may still grow by. */
  room: number
}

/**
 * Fields that become others, held in memory until all of them are known: then they are stored at once, and
 * no table is read again for each of them.
 */
export class FieldsInChange {
  readonly #graph: SchemaGraph
  readonly #tables = new Map<string, TableInChange>()

  constructor(graph: SchemaGraph) {
    this.#graph = graph
  }

  /** The fields of the table as they are by now, by id; undefined when the table is gone. */
  async fieldsOf(
    tableId: string,
  ): Promise<{ readonly table: Table; readonly fields: ReadonlyMap<string, Field> } | undefined> {
    return this.#find(tableId)
  }

  /** A field as it is by now, undefined when it or its table is gone. */
  readonly findField = async (tableId: string, fieldId: string): Promise<Field | undefined> =>
    (await this.#find(tableId))?.fields.get(fieldId)

  /** The table as links to it see it by now. */
  readonly foreign = async (tableId: string): Promise<ForeignTable | undefined> =>
    (await this.#find(tableId))?.foreign

  /** Whether the table has room for the settings of the field as it is to be. */
  async hasRoom(before: Field, after: Field): Promise<boolean> {
    const growth = settingsLength(after) - settingsLength(before)
    return growth <= 0 || growth <= ((await this.#find(before.tableId))?.room ?? 0)
  }

  /** Lets a field of a table that is there be another one from now on. */
  async change(before: Field, after: Field): Promise<void> {
    const place = await this.#find(before.tableId)
    if (!place) return
    const { id } = before
    place.fields.set(id, after)
    if (isTitle(after)) place.foreign.titleFieldIds.add(id)
    else place.foreign.titleFieldIds.delete(id)
    place.room += settingsLength(before) - settingsLength(after)
    place.changes.set(id, { before: place.changes.get(id)?.before ?? before, after })
  }

  /** What was changed, by table. */
  *changes(): Iterable<readonly [string, readonly FieldChange[]]> {
    for (const [tableId, { changes }] of this.#tables) {
      if (changes.size > 0) yield [tableId, [...changes.values()]]
    }
  }

  async #find(tableId: string): Promise<TableInChange | undefined> {
    const known = this.#tables.get(tableId)
    if (known) return known
    const found = await this.#graph.find(tableId)
    if (!found) return undefined
    const all = found.schema.fields.map(({ field }) => field)
    const fields = new Map(all.map((field) => [field.id, field]))
    const primaryId = found.schema.primary.field.id
    const made: TableInChange = {
      table: found.table,
      fields,
      foreign: {
        table: found.table,
        fields,
        titleFieldIds: new Set(all.filter(isTitle).map(({ id }) => id)),
        get primary() {
          return fields.get(primaryId) as Field
        },
      },
      changes: new Map(),
      room: limits.tableOptionsLength - all.reduce((sum, field) => sum + settingsLength(field), 0),
    }
    this.#tables.set(tableId, made)
    return made
  }
}
