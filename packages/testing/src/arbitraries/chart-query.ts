import { joinTypes, type SavedQuery } from '@gateleg/domain/charts/saved-query'
import { statisticsOf } from '@gateleg/domain/queries/statistics'
import type { SchemaField, TableSchema } from '@gateleg/domain/schemas/table-schema'
import fc from 'fast-check'
import { filterOf, type QueryValues } from './record-query.ts'

/** A query of a chart that may be saved about the tables, which are joined in their order; all of it fits them. */
export function chartQueryOf(
  tables: readonly [TableSchema, ...TableSchema[]],
  values: QueryValues,
): fc.Arbitrary<SavedQuery> {
  const fields = tables.flatMap((table) => table.fields)
  const filter = filterOf(asOneTable(tables[0], fields), values)
  const field = fc.constantFrom(...fields)
  const groupBy = fc.uniqueArray(field, { maxLength: 3 })
  const statistic = field.chain(({ field: { id }, rules: { form } }) =>
    fc
      .constantFrom(...statisticsOf(form))
      .map((statisticFunc) => ({ column: id, type: 'field' as const, statisticFunc })),
  )
  const parts = fc.record({
    join: fc.tuple(...tables.slice(1).map((_, index) => joinOf(tables, index + 1))),
    where: fc.option(filter, { nil: undefined }),
    groupBy: groupBy.map((all) =>
      all.map(({ field: { id } }) => ({ column: id, type: 'field' as const })),
    ),
    aggregation: fc.array(statistic, { maxLength: 3 }),
    limit: fc.integer({ min: 1, max: 200 }),
    offset: fc.nat({ max: 3 }),
  })
  return parts.chain((query) => {
    const ofGroups = query.groupBy.map(({ column }) => ({ column, type: 'field' as const }))
    const ofStatistics = query.aggregation.map(({ column, statisticFunc }) => ({
      column: `${column}_${statisticFunc}`,
      type: 'aggregation' as const,
    }))
    const summary = [...ofGroups, ...ofStatistics]
    const columns =
      summary.length > 0
        ? summary
        : fields.map(({ field: { id } }) => ({ column: id, type: 'field' as const }))
    const order = fc.record({
      column: fc.constantFrom(...columns),
      order: fc.constantFrom('asc' as const, 'desc' as const),
    })
    return fc.array(order, { maxLength: 3 }).map(
      (orderBy): SavedQuery => ({
        from: tables[0].tableId,
        ...query,
        orderBy: orderBy.map(({ column, order }) => ({ ...column, order })),
      }),
    )
  })
}

/** How a table is joined with those before it. */
function joinOf(
  tables: readonly TableSchema[],
  place: number,
): fc.Arbitrary<NonNullable<SavedQuery['join']>[number]> {
  const own = tables[place]?.fields.filter(canJoin) ?? []
  const pairs = tables
    .slice(0, place)
    .flatMap(({ fields }) =>
      fields
        .filter(canJoin)
        .flatMap((earlier) =>
          own
            .filter(({ rules }) => rules.form.item.kind === earlier.rules.form.item.kind)
            .map((one): [string, string] => [earlier.field.id, one.field.id]),
        ),
    )
  return fc.record({
    type: fc.constantFrom(...joinTypes),
    table: fc.constant(tables[place]?.tableId ?? ''),
    on: fc
      .tuple(fc.constantFrom(...pairs), fc.boolean())
      .map(([[earlier, one], isTurned]): [string, string] =>
        isTurned ? [one, earlier] : [earlier, one],
      ),
  })
}

/** Whether cells of the field join records with others. */
function canJoin({ rules: { form } }: SchemaField): boolean {
  return !form.isList && !['boolean', 'file', 'press'].includes(form.item.kind)
}

function asOneTable(table: TableSchema, fields: readonly SchemaField[]): TableSchema {
  const byId = new Map(fields.map((field) => [field.field.id, field]))
  return { ...table, fields, byKey: { ...table.byKey, id: byId } }
}
