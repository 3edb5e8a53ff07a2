import { mayTake } from '../../access/guard.ts'
import { DomainError, invalidAt } from '../../errors.ts'
import { insertFields } from '../../fields/operations/building/insert-fields.ts'
import { noteAddedFields } from '../../fields/operations/building/note-added-fields.ts'
import { toNewFields } from '../../fields/operations/building/to-new-field.ts'
import type { DefinitionPath } from '../../fields/operations/definition/build-fields.ts'
import { checkDefinition } from '../../fields/operations/definition/field-definition.ts'
import { limits } from '../../limits.ts'
import type { RecordsContext } from '../../records/reading/records-context.ts'
import { mapInTurns } from '../../records/showing/map-in-turns.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { SchemaField } from '../../schemas/table-schema.ts'
import type { Table } from '../../tables/table.ts'
import type { TableScope } from '../../tables/table-guard.ts'
import { isShown } from '../../views/column-meta.ts'
import type { View } from '../../views/view.ts'
import { contentAt, type PastedContent } from '../pasted-content.ts'
import { type HeaderField, toDefinition } from './pasted-header.ts'

/** Columns that are missing for what is pasted. */
interface MissingColumns {
  /** The column of the content that the first of them takes. */
  readonly first: number
  readonly count: number
  readonly content: PastedContent
  readonly header: readonly HeaderField[] | undefined
  /** The view in which they are to be shown. */
  readonly view: View | undefined
}

/**
 * Adds fields to the table for columns that are pasted behind the last one. Returns the table and the fields as they are
 * now. `restricted_resource` for who may not add fields; validation_error for a view that wouldn't show them.
 */
export async function addColumns(
  context: RecordsContext & Pick<TableScope, 'role'>,
  { first, count, content, header, view }: MissingColumns,
): Promise<{ readonly table: Table; readonly columns: readonly SchemaField[] }> {
  const { tx, actor, role, userId, now, ids } = context
  if (count === 0) return { table: context.table, columns: [] }
  if (!mayTake(actor, role, 'field|create')) {
    throw new DomainError(
      'restricted_resource',
      `The pasted content needs ${count} more columns, and you may not add fields: paste less, or further to the left`,
    )
  }
  const graph = new SchemaGraph(tx, 'update')
  const { schema } = await graph.put(context.table)
  if (schema.fields.length + count > limits.fieldsPerTable) {
    throw invalidAt(['content'], `a table has ${limits.fieldsPerTable} fields at most`)
  }
  const taken = Array.from({ length: count }, (_, index) => (first + index) % content.width)
  const definitions = await mapInTurns(tx, taken, (column) => {
    const cells = content.rows.map((_, row) => contentAt(content, row, column))
    return checkDefinition(toDefinition(header?.[column], cells), ids, ['header', column])
  })
  const pathOf: DefinitionPath = (index, ...members) => ['header', taken[index] ?? 0, ...members]
  const fields = await toNewFields(context, graph, definitions, pathOf)
  const table = await insertFields(context, graph, fields)
  const fieldIds = fields.map(({ id }) => id)
  await noteAddedFields(context, { tableId: table.id, fieldIds, areEmpty: true })
  for (const { id: fieldId } of fields) {
    const payload = { tableId: table.id, fieldId }
    tx.emit({ name: 'field.created', time: now, userId, payload })
  }
  const added = (await graph.get(table.id)).schema
  const columns = fields.flatMap(({ id }) => added.byKey.id.get(id) ?? [])
  if (view && !columns.every((field) => isShown(view, field))) {
    const kind = `a view of type "${view.type}" would not show the columns that are added`
    throw invalidAt(['ranges'], `the pasted content must fit into the existing columns: ${kind}`)
  }
  return { table, columns }
}
