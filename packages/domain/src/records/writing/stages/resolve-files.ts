import type { AttachmentRepository } from '../../../attachments/attachment-repository.ts'
import { isUsable } from '../../../attachments/is-usable.ts'
import type { FileFacts } from '../../../fields/field-type.ts'
import { typeOf } from '../../../fields/field-values.ts'
import type { TableSchema } from '../../../schemas/table-schema.ts'
import { RowIssues } from '../../input/row-issues.ts'
import type { CellPatch, ReplacedColumns } from '../../stored/cell-patch.ts'
import type { RowReading } from '../record-write.ts'

/** The rows whose files are looked up. */
interface FileRows extends Pick<RowReading, 'context' | 'options'> {
  /** Says which records the rows change; absent where they make new ones. */
  readonly strategy?: RowReading['strategy']
  /** Notes that cells are to have the files, before they are looked up; absent where nothing is written. */
  readonly hold?: AttachmentRepository['attach']
}

const noFiles: ReadonlyMap<string, FileFacts> = new Map()

/**
 * The cells of files that rows name, with what is known of each file: path, size and kind come from what was
 * stored under the token, whatever the caller says. Refuses tokens that were not issued for the base's space, and
 * those of files that no cell has yet and somebody else uploaded. What the cell has already may stay: its base
 * may have come from another space.
 */
export async function resolveFiles(
  { context, options, strategy, hold }: FileRows,
  schema: TableSchema,
  rows: readonly CellPatch[],
): Promise<ReplacedColumns> {
  const { tx, base, ids, userId, now: time, storedFiles = noFiles } = context
  const issues = new RowIssues(options)
  const filled = new Map<number, CellPatch>()
  for (const schemaField of schema.columns) {
    const { field, column, isWritable } = schemaField
    const { files } = typeOf(field)
    if (!files || !isWritable || !rows.some((row) => row[column.index])) continue
    const named = new Set(rows.flatMap((row) => files.tokens(row[column.index] ?? null)))
    const tokens = [...named].filter((token) => !storedFiles.has(token))
    const { spaceId } = base
    await hold?.({ spaceId, tokens, userId, time })
    const stored = await tx.attachments.findAll(spaceId, tokens)
    const usable = stored.filter((file) => isUsable(file, userId))
    const byToken = new Map([...storedFiles, ...usable.map((file) => [file.token, file] as const)])
    const cells = rows.map((row, index) => {
      const cell = row[column.index]
      if (cell === null || cell === undefined) return cell
      const before = files.stored(strategy?.existing[index]?.cells[column.index] ?? null)
      const known = before.size > 0 ? new Map([...before, ...byToken]) : byToken
      const unknown = files.tokens(cell).find((token) => !known.has(token))
      if (unknown === undefined) return files.fill(cell, known, ids)
      issues.add(
        index,
        schemaField,
        `names the token "${unknown}", which belongs to no file that can be used here`,
      )
      return cell
    })
    filled.set(column.index, cells)
  }
  issues.throwIfAny()
  return filled
}
