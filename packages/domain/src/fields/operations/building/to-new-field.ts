import { assert } from '../../../errors.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { TableReadContext } from '../../../tables/table-context.ts'
import type { TableScope } from '../../../tables/table-guard.ts'
import type { Field } from '../../field.ts'
import { asOwners } from '../../link-of.ts'
import {
  buildFields,
  type DefinitionPath,
  onlyDefinition,
  requireColumnRoom,
} from '../definition/build-fields.ts'
import type { CheckedDefinition } from '../definition/field-definition.ts'
import { takenNamesIn } from '../definition/field-namer.ts'
import { requireOptionsRoomForNew } from '../definition/options-room.ts'
import { withDefaultNames } from '../derivation/default-names.ts'
import { deriveNewFields } from '../derivation/derive-new-fields.ts'
import { readableTable } from '../derivation/field-sources.ts'
import { requireFieldScope } from '../require-field-scope.ts'
import { requireFreeIds } from './require-free-ids.ts'
import { requireReferences } from './require-references.ts'

type NewFieldContext = TableReadContext & Pick<TableScope, 'base' | 'table'>

/** Makes the field of a definition, but doesn't store it. Throws `validation_error` for a definition that the table can't have. */
export async function toNewField(
  context: NewFieldContext,
  graph: SchemaGraph,
  checked: CheckedDefinition,
): Promise<Field> {
  const [field] = await toNewFields(context, graph, [checked], onlyDefinition)
  assert(field, 'one definition makes one field')
  return field
}

/** As `toNewField`, for fields that are made together; `pathOf` gives the path of each definition in the request, for errors. */
export async function toNewFields(
  context: NewFieldContext,
  graph: SchemaGraph,
  checked: readonly CheckedDefinition[],
  pathOf: DefinitionPath,
): Promise<readonly Field[]> {
  const { tx, base, table, userId, now, ids } = context
  requireFieldScope(context, checked)
  const { schema } = await graph.get(table.id)
  const existing = schema.fields.map(({ field }) => field)
  const { id: tableId, baseId } = table
  const foreign = readableTable(context, graph, base.spaceId)
  const own = new Map(existing.map((field) => [field.id, field]))
  const neighbours = await takenNamesIn(tx, schema)
  await requireFreeIds(tx, checked, pathOf)
  const named = await withDefaultNames(checked, { own, foreign })
  const placed = await buildFields(named, neighbours, { tableId, userId, now, ids, pathOf })
  const place = { baseId, existing, foreign, pathOf }
  const fields = await deriveNewFields(asOwners(placed, { baseId, ids }), place)
  await requireColumnRoom(tx, neighbours, tableId, fields)
  requireOptionsRoomForNew(existing, fields, pathOf)
  await requireReferences(context, base, fields, { knownIds: own.keys(), pathOf })
  return fields
}
