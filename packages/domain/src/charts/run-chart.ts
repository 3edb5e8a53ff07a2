import type { Actor } from '../access/actor.ts'
import type { Timestamp } from '../clock.ts'
import { type Issue, invalid } from '../errors.ts'
import type { FileUrls } from '../file-urls.ts'
import type { CellFormat } from '../records/showing/record-output.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'
import type { ChartOutput } from './chart-output.ts'
import { findChartRows } from './find-chart-rows.ts'
import type { SavedQuery } from './saved-query.ts'
import { showChart } from './show-chart.ts'
import { toChartQuery } from './to-chart-query.ts'

/** Who asks for a chart, when, and of which base, which they may read. */
interface ChartContext {
  readonly tx: ReadTx
  readonly actor: Actor
  readonly userId: string
  readonly now: Timestamp
  readonly publicUrl: string | undefined
  readonly fileUrls?: FileUrls
  readonly baseId: string
}

/**
 * Answers the query of a chart. Throws validation_error for what doesn't fit what there is now: tables of other bases
 * and tables that are gone, fields, statistics, too many rows or groups. Issues stand at the path.
 */
export async function runChart(
  context: ChartContext,
  saved: SavedQuery,
  { cellFormat, path }: { readonly cellFormat: CellFormat; readonly path: Issue['path'] },
): Promise<ChartOutput> {
  const { tx, actor, userId, now, publicUrl, fileUrls } = context
  const tables = await findTables(context, saved, path)
  const query = toChartQuery(saved, tables, { userId, now, path })
  const found = await findChartRows(tx, query, path)
  return showChart(tx, query, found, { actor, publicUrl, fileUrls, cellFormat, path })
}

/** The tables of the query, that of `from` first. */
async function findTables(
  { tx, baseId }: ChartContext,
  { from, join = [] }: SavedQuery,
  path: Issue['path'],
) {
  const named = [
    { id: from, path: [...path, 'from'] },
    ...join.map(({ table }, index) => ({ id: table, path: [...path, 'join', index, 'table'] })),
  ]
  const ids = named.map(({ id }) => id)
  const living = await tx.tables.findAll([...new Set(ids)], 'none')
  const inBase = new Map(
    living.filter((table) => table.baseId === baseId).map((table) => [table.id, table]),
  )
  const issues: Issue[] = []
  const tables = named.flatMap(({ id, path: at }, index) => {
    const table = inBase.get(id)
    if (!table) issues.push({ path: at, message: 'must be the id of a table of the base' })
    else if (ids.indexOf(id) !== index) {
      issues.push({ path: at, message: 'must be a table that the query does not name before' })
    }
    return table ?? []
  })
  if (issues.length > 0) throw invalid(issues)
  const schemas: TableSchema[] = []
  for (const table of tables) schemas.push(await tx.fields.schemaOf(table))
  return schemas
}
