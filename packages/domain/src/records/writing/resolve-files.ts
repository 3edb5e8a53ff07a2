import { typeOf } from '../../fields/field-values.ts'
import type { LinkingRows } from '../../links/resolve-links.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { RecordsContext } from '../records-context.ts'
import { RowIssues } from '../row-issues.ts'

/**
 * Gives the files that rows name what is known of them: path, size and kind come from what was stored
 * under the token, whatever the caller says. Refuses tokens that were not issued for the base's space.
 */
export async function resolveFiles(
  { tx, base, ids }: RecordsContext,
  schema: TableSchema,
  { rows, places }: LinkingRows,
): Promise<void> {
  const issues = new RowIssues(places)
  for (const schemaField of schema.columns) {
    const { field, column, isWritable } = schemaField
    const { files } = typeOf(field)
    if (!files || !isWritable || !rows.some((row) => row[column.index])) continue
    const tokens = new Set(rows.flatMap((row) => files.tokens(row[column.index] ?? null)))
    const stored = await tx.attachments.findAll(base.spaceId, [...tokens])
    const byToken = new Map(stored.map((file) => [file.token, file]))
    rows.forEach((row, index) => {
      const cell = row[column.index] ?? null
      if (cell === null) return
      const unknown = files.tokens(cell).find((token) => !byToken.has(token))
      if (unknown === undefined) row[column.index] = files.fill(cell, byToken, ids)
      else issues.add(index, schemaField, `names the token "${unknown}", which was not issued here`)
    })
  }
  issues.throwIfAny()
}
