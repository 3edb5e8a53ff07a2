import { typeOf } from '../../fields/field-values.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { CellPatch, ReplacedColumns } from '../cell-patch.ts'
import { RowIssues } from '../row-issues.ts'
import type { RowReading } from './record-write.ts'

/**
 * The cells of files that rows name, with what is known of each file: path, size and kind come from what was
 * stored under the token, whatever the caller says. Refuses tokens that were not issued for the base's space.
 */
export async function resolveFiles(
  { context: { tx, base, ids }, options }: Pick<RowReading, 'context' | 'options'>,
  schema: TableSchema,
  rows: readonly CellPatch[],
): Promise<ReplacedColumns> {
  const issues = new RowIssues(options)
  const filled = new Map<number, CellPatch>()
  for (const schemaField of schema.columns) {
    const { field, column, isWritable } = schemaField
    const { files } = typeOf(field)
    if (!files || !isWritable || !rows.some((row) => row[column.index])) continue
    const tokens = new Set(rows.flatMap((row) => files.tokens(row[column.index] ?? null)))
    const stored = await tx.attachments.findAll(base.spaceId, [...tokens])
    const byToken = new Map(stored.map((file) => [file.token, file]))
    const cells = rows.map((row, index) => {
      const cell = row[column.index]
      if (cell === null || cell === undefined) return cell
      const unknown = files.tokens(cell).find((token) => !byToken.has(token))
      if (unknown === undefined) return files.fill(cell, byToken, ids)
      issues.add(index, schemaField, `names the token "${unknown}", which was not issued here`)
      return cell
    })
    filled.set(column.index, cells)
  }
  issues.throwIfAny()
  return filled
}
