import type { Base } from '../../../bases/base.ts'
import { waitForPending } from '../../../calculations/pending/wait-for-pending.ts'
import { type Issue, invalid, invalidAt } from '../../../errors.ts'
import type { Field } from '../../../fields/field.ts'
import { rulesOf } from '../../../fields/field-values.ts'
import { asOwners } from '../../../fields/link-of.ts'
import { makeLinks } from '../../../fields/operations/building/make-links.ts'
import { requireFreeIds } from '../../../fields/operations/building/require-free-ids.ts'
import { requireReferences } from '../../../fields/operations/building/require-references.ts'
import {
  buildFields,
  type DefinitionPath,
} from '../../../fields/operations/definition/build-fields.ts'
import {
  checkDefinition,
  type FieldDefinition,
} from '../../../fields/operations/definition/field-definition.ts'
import { requireOptionsRoomForNew } from '../../../fields/operations/definition/options-room.ts'
import { withDefaultNames } from '../../../fields/operations/derivation/default-names.ts'
import { deriveNewFields } from '../../../fields/operations/derivation/derive-new-fields.ts'
import { readableTable } from '../../../fields/operations/derivation/field-sources.ts'
import { requireFieldScope } from '../../../fields/operations/require-field-scope.ts'
import type { RecordOutput } from '../../../records/showing/record-output.ts'
import { toWrittenOutputs } from '../../../records/showing/written-answer.ts'
import { creation } from '../../../records/writing/creation.ts'
import { writeRecords } from '../../../records/writing/write-records.ts'
import { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { TableSchema } from '../../../schemas/table-schema.ts'
import { toFreeName } from '../../../values/names.ts'
import { requireRoomForViews } from '../../../views/change-view.ts'
import type { View } from '../../../views/view.ts'
import { defaultViewName, toNewView, type ViewDefinition } from '../../../views/view-definition.ts'
import type { Table } from '../../table.ts'
import type { TableContext } from '../../table-context.ts'
import { freeTableNames } from './free-table-names.ts'
import {
  defaultFields,
  defaultRecords,
  defaultTableName,
  defaultViews,
  type TableDefinition,
} from './table-definition.ts'

/** A table as it is right after it was made. */
export interface NewTable {
  readonly table: Table
  readonly fields: readonly Field[]
  readonly views: readonly View[]
  /** As the caller sees them. */
  readonly records: RecordOutput[]
}

/**
 * Makes a table in a base that is held for update, all but its node in the tree: fields, views, and
 * records in that order.
 */
export async function createTableIn(
  context: TableContext,
  base: Base,
  definition: TableDefinition,
): Promise<NewTable> {
  const { tx, userId, now, ids } = context
  const definitions = definition.fields ?? defaultFields
  requireDistinctNames(definitions)
  const checked = definitions.map((field, index) => checkDefinition(field, ids, pathOf(index)))
  requireFieldScope(context, checked)
  await requireFreeIds(tx, checked, pathOf)
  const table = await toTable(context, base, definition)
  const graph = new SchemaGraph(tx, 'update')
  const foreign = readableTable(context, graph, base.spaceId)
  const placed = await buildFields(
    await withDefaultNames(checked, { own: new Map(), foreign }),
    {
      names: new Set(),
      columns: await tx.fields.takenColumnNames(table.id),
      columnCount: 0,
      count: 0,
      lastOrder: -1,
    },
    { tableId: table.id, userId, now, ids, pathOf },
  )
  const fields = await deriveNewFields(asOwners(placed, { baseId: base.id, ids }), {
    baseId: base.id,
    existing: [],
    foreign,
    pathOf,
  })
  requireOptionsRoomForNew([], fields, pathOf)
  await requireReferences(context, base, fields, { knownIds: [], pathOf })
  if (!definition.records) requireFitForEmptyRecords(context, fields)
  await tx.tables.insert(table, fields)
  await graph.put(table)
  await makeLinks(context, graph, table.id, fields, pathOf)
  await waitForPending(context, graph, { tableId: table.id, fieldIds: fields.map(({ id }) => id) })
  const { schema } = await graph.get(table.id)
  const views = toViews(context, schema, definition.views ?? defaultViews)
  await tx.views.insert(views)
  await requireRoomForViews(context, table.id)
  tx.emit({ name: 'table.created', time: now, userId, payload: { tableId: table.id } })
  const fieldKeyType = definition.fieldKeyType ?? 'name'
  const written = await writeRecords(
    { ...context, table: (await graph.find(table.id))?.table ?? table, base },
    creation,
    definition.records ?? defaultRecords,
    { fieldKeyType, typecast: false, pathOf: (row) => ['records', row] },
  )
  const records = await toWrittenOutputs(context, written, fieldKeyType)
  const later = await graph.get(table.id)
  const isPending = ({ id }: Field) => later.schema.byKey.id.get(id)?.field.isPending ?? false
  return {
    table,
    fields: fields.map((field) => ({ ...field, isPending: isPending(field) })),
    views,
    records,
  }
}

const pathOf: DefinitionPath = (index, ...members) => ['fields', index, ...members]

async function toTable(
  { tx, userId, now, ids }: TableContext,
  base: Base,
  { name = defaultTableName, dbTableName, description, icon }: TableDefinition,
): Promise<Table> {
  return {
    id: ids.next('table'),
    baseId: base.id,
    ...(await freeTableNames(tx, base, { name, dbTableName })),
    rebuiltName: null,
    description: description ?? null,
    icon: icon ?? null,
    version: 1,
    schemaTag: ids.revision(),
    searchIndex: null,
    createdBy: userId,
    createdTime: now,
    lastModifiedTime: now,
  }
}

/** The views as they are sent; a name that one before has is numbered. */
function toViews(
  context: TableContext,
  schema: TableSchema,
  definitions: readonly ViewDefinition[],
): View[] {
  const names = new Set<string>()
  const orders = ordersOf(definitions)
  return definitions.map((definition, index) => {
    const name = toFreeName(definition.name ?? defaultViewName, (taken) => names.has(taken))
    names.add(name)
    const placed = { ...definition, order: orders[index] }
    return toNewView(context, placed, { schema, name, order: index }, ['views', index])
  })
}

/**
 * The orders of the views: one that says none stands behind all that are named before it. Where two say the same, all are
 * numbered anew, and these two stand as they are named.
 */
function ordersOf(definitions: readonly ViewDefinition[]): readonly number[] {
  const orders: number[] = []
  for (const { order } of definitions) orders.push(order ?? Math.floor(Math.max(-1, ...orders)) + 1)
  if (new Set(orders).size === orders.length) return orders
  const sorted = [...orders.keys()].toSorted((a, b) => (orders[a] ?? 0) - (orders[b] ?? 0))
  return orders.map((_, index) => sorted.indexOf(index))
}

/** Names are numbered against what is there already; two equal ones in one request are a mistake. */
function requireDistinctNames(definitions: readonly FieldDefinition[]): void {
  const seen = new Set<string>()
  for (const [index, { name }] of definitions.entries()) {
    if (name === undefined) continue
    if (seen.has(name)) throw invalidAt(pathOf(index, 'name'), `"${name}" is used twice`)
    seen.add(name)
  }
}

/** The empty records that a table begins with hold nothing but defaults: those must do. */
function requireFitForEmptyRecords({ userId, now }: TableContext, fields: readonly Field[]): void {
  const issues = fields.flatMap((field, index): Issue[] => {
    const cell = rulesOf(field).defaultCell?.({ userId, now }) ?? null
    const instead = 'or send "records": [] for a table without records'
    if (field.notNull && cell === null) {
      const message = `needs a default for the empty records that a table begins with, ${instead}`
      return [{ path: pathOf(index, 'notNull'), message }]
    }
    if (field.unique && cell !== null) {
      const message = `must not give the default to all records that a table begins with: leave it out, ${instead}`
      return [{ path: pathOf(index, 'unique'), message }]
    }
    return []
  })
  if (issues.length > 0) throw invalid(issues)
}
