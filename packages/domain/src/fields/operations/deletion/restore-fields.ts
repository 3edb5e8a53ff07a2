import { calculateFields } from '../../../calculations/calculate-fields.ts'
import { invalidAt } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { requireRoomForField } from '../../../links/link-room.ts'
import { requireAtOtherEnd } from '../../../links/require-at-other-end.ts'
import { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { Table } from '../../../tables/table.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import { nameTaken } from '../../../trash/name-taken.ts'
import type { ReaderState } from '../../../undo/undo-step.ts'
import { toFreeName } from '../../../values/names.ts'
import { toFreeColumnName } from '../../column-name.ts'
import type { Field } from '../../field.ts'
import { dbFieldTypeOf } from '../../field-values.ts'
import { symmetricOf } from '../../link-of.ts'
import { renewTargets } from '../building/make-links.ts'
import { noteAddedFields } from '../building/note-added-fields.ts'
import { requireOptionsRoomForNew } from '../definition/options-room.ts'
import { toSaidReaders } from '../derivation/reader-states.ts'
import { Rederivation } from '../derivation/rederivation.ts'

/**
 * Takes the fields that one operation deleted out of the trash of a table that is held, with their values; a link's field
 * at the other end comes along. Taken names are numbered, or refused. What they are, and what reads them, is computed again.
 * Throws validation_error, having changed nothing, where the table or a record has no room for them, the other end of a link is
 * gone, or records that were made meanwhile lack a value that is required.
 */
export async function restoreFields(
  context: TableContext & { readonly table: Table },
  operationId: string,
  { under = 'free names', readers: states = [] }: HowRestored = {},
): Promise<void> {
  const { tx, table } = context
  const graph = new SchemaGraph(tx, 'update')
  await graph.put(table)
  const readers = await toSaidReaders(graph, states)
  const back = await findDeleted(context, graph, operationId)
  const places: { tableId: string; fieldId: string }[] = []
  for (const [tableId, fields] of back) {
    await restoreIn(context, graph, { tableId, fields, under })
    places.push(...fields.map(({ id }) => ({ tableId, fieldId: id })))
  }
  for (const [tableId, fields] of back) await renewTargets(context, graph, tableId, fields)
  for (const [tableId, fields] of back) await requireLinkRoom(context, graph, tableId, fields)
  const rederivation = new Rederivation(context, graph, readers)
  await rederivation.deriveRestored([...places, ...readers])
  await calculateFields(context, graph, await rederivation.store())
  const fieldIds = back.get(table.id)?.map(({ id }) => id) ?? []
  await noteAddedFields(context, { tableId: table.id, fieldIds })
}

/** Under which names fields come back, and what others said of themselves that are to be as they were before these went. */
interface HowRestored {
  readonly under?: ReturningFields['under']
  readonly readers?: readonly ReaderState[] | undefined
}

/** Fields of one table that come back. */
interface ReturningFields {
  readonly tableId: string
  readonly fields: readonly Field[]
  readonly under: 'free names' | 'own names'
}

/** While the fields were in the trash their records may have got as many links in others. */
async function requireLinkRoom(
  { tx }: TableContext,
  graph: SchemaGraph,
  tableId: string,
  fields: readonly Field[],
): Promise<void> {
  const { schema } = await graph.get(tableId)
  for (const { id } of fields) {
    const link = schema.byKey.id.get(id)?.link
    if (link) await requireRoomForField(tx, schema, link.end)
  }
}

/** The fields of the operation by table, each link with its field at the other end. */
async function findDeleted(
  context: TableContext & { readonly table: Table },
  graph: SchemaGraph,
  operationId: string,
): Promise<ReadonlyMap<string, readonly Field[]>> {
  const { tx, table } = context
  const own = await tx.fields.deletedOf(table.id, operationId)
  const back = new Map([[table.id, own]])
  for (const field of own) {
    const end = symmetricOf(field)
    if (!end) continue
    const foreign = await graph.find(end.tableId)
    if (!foreign) {
      const message = `can't come back: "${field.name}" links to a deleted table, which must be restored first`
      throw invalidAt([], message)
    }
    const others = back.get(end.tableId) ?? (await tx.fields.deletedOf(end.tableId, operationId))
    if (!others.some(({ id }) => id === end.fieldId)) {
      throw invalidAt(
        [],
        `can't come back: the linked table no longer has the field at the other end of the link "${field.name}"`,
      )
    }
    if (!back.has(end.tableId)) {
      await requireAtOtherEnd(context, context, foreign, 'field|create')
      back.set(end.tableId, others)
    }
  }
  return back
}

/**
 * Takes fields of one table out of its trash. Throws validation_error where the table has no room for them, or records
 * lack a value that one requires, conflict where a name that is to stay is taken.
 */
export async function restoreIn(
  { tx, userId, now, ids }: TableContext,
  graph: SchemaGraph,
  { tableId, fields, under }: ReturningFields,
): Promise<void> {
  const { table, schema } = await graph.get(tableId)
  if (schema.fields.length + fields.length > limits.fieldsPerTable) {
    throw invalidAt([], `can't come back: a table has ${limits.fieldsPerTable} fields at most`)
  }
  const living = schema.fields.map(({ field }) => field)
  requireOptionsRoomForNew(living, fields, () => [])
  const names = new Set(schema.byKey.name.keys())
  const columns = new Set(schema.byKey.dbFieldName.keys())
  const named = fields.map((field) => {
    const name = toFreeName(field.name, (candidate) => names.has(candidate))
    const dbFieldName = toFreeColumnName(field.dbFieldName, (one) => columns.has(one))
    names.add(name)
    columns.add(dbFieldName)
    const isNumbered = name !== field.name || dbFieldName !== field.dbFieldName
    if (isNumbered && under === 'own names') throw nameTaken(field.name)
    return { ...field, name, dbFieldName }
  })
  for (const field of named) {
    const { notNull, columnName, name } = field
    if (!notNull || columnName === null) continue
    const column = { name: columnName, type: dbFieldTypeOf(field), index: -1 }
    if (!(await tx.columns.hasEmpty(schema, column))) continue
    const message = `can't come back: "${name}" is required, and records that were created meanwhile have no value in it`
    throw invalidAt([], message)
  }
  await tx.fields.restore(table, named)
  await graph.put(await tx.tables.changeSchema(tableId, ids.revision(), now))
  for (const { id } of named) {
    tx.emit({ name: 'field.created', time: now, userId, payload: { tableId, fieldId: id } })
  }
}
