import type { Base } from '../../../bases/base.ts'
import { calculateFields } from '../../../calculations/calculate-fields.ts'
import { resumeCalculations } from '../../../calculations/pending/resume-calculations.ts'
import { invalidAt } from '../../../errors.ts'
import { foreignTableIdOf } from '../../../fields/link-of.ts'
import { renewTargets } from '../../../fields/operations/building/make-links.ts'
import { Rederivation } from '../../../fields/operations/derivation/rederivation.ts'
import { limits } from '../../../limits.ts'
import { requireRoomForField } from '../../../links/link-room.ts'
import { type LoadedTable, SchemaGraph } from '../../../schemas/schema-graph.ts'
import { toFreeName } from '../../../values/names.ts'
import type { TableContext } from '../../table-context.ts'
import { moveLostEnds } from './move-lost-ends.ts'

/**
 * Takes a table out of the trash of a base that is held for update, all but its node, under its name or one with a number that is
 * free. Fields that read it are as they were; its own that read others are computed again. Throws
 * validation_error where the base has no room for it, or a record none for its links.
 */
export async function restoreTable(
  context: TableContext,
  base: Base,
  tableId: string,
): Promise<void> {
  const { tx, userId, now } = context
  const table = await tx.tables.findOrTrash(tableId, 'update')
  if (!table) throw invalidAt([], 'the table is gone')
  const others = await tx.tables.listOf(base.id)
  if (others.length >= limits.tablesPerBase) {
    throw invalidAt([], `can't come back: a base has ${limits.tablesPerBase} tables at most`)
  }
  const names = new Set(others.map(({ name }) => name))
  const name = toFreeName(table.name, (candidate) => names.has(candidate))
  await tx.tables.restore(tableId, name)
  tx.emit({ name: 'table.created', time: now, userId, payload: { tableId } })
  await healTables(context, [tableId])
  await resumeCalculations(context, [tableId])
}

/** Computes again what tables that are back read of others, and what others read of them. */
export async function healTables(
  context: TableContext,
  tableIds: readonly string[],
): Promise<void> {
  const { tx, ids } = context
  const graph = new SchemaGraph(tx, 'update')
  const places: LoadedTable[] = []
  for (const { table } of await graph.load(tableIds)) {
    // What was kept of it is of the time before.
    places.push(await graph.put(await tx.tables.renewSchema(table.id, ids.revision())))
  }
  const lost = await moveLostEnds(context, graph, places)
  for (const { table, schema } of places) {
    const bare = (await tx.fields.linkEndsOf(table.id)).filter(({ hasPairs }) => !hasPairs)
    // A link of the table to itself has both of its ends there.
    const byOwner = new Map(bare.map(({ end }) => [end.ownerFieldId, end]))
    for (const end of byOwner.values()) await tx.links.create(end)
    await renewTargets(
      context,
      graph,
      table.id,
      schema.fields.map(({ field }) => field),
    )
  }
  const rederivation = new Rederivation(context, graph)
  const reading = places.flatMap(({ table, schema }) =>
    schema.fields
      .filter(({ field }) => foreignTableIdOf(field) !== undefined)
      .map(({ field }) => ({ tableId: table.id, fieldId: field.id })),
  )
  await rederivation.deriveRestored([...reading, ...lost])
  for (const { table } of places) {
    await rederivation.deriveReadersOfTable((await graph.get(table.id)).schema)
  }
  const derived = await rederivation.store()
  for (const { table } of places) await requireLinkRoom(context, graph, table.id)
  await calculateFields(context, graph, derived)
}

/** While the table was away, records that are linked with its own may have got as many links in other fields, and its own too. */
async function requireLinkRoom(
  { tx }: TableContext,
  graph: SchemaGraph,
  tableId: string,
): Promise<void> {
  const own = await graph.get(tableId)
  for (const { table, schema } of [own, ...(await graph.load(own.schema.inboundTableIds))]) {
    for (const { link } of schema.fields) {
      const isBack = link && (table.id === tableId || link.foreignTableId === tableId)
      if (isBack) await requireRoomForField(tx, schema, link.end)
    }
  }
}
