import type { Cell } from '../../fields/cell.ts'
import { Refusal } from '../../fields/cell.ts'
import { typeOf } from '../../fields/field-values.ts'
import type { StoredRecord } from '../../records/stored/stored-record.ts'
import type { ColumnField, TableSchema } from '../../schemas/table-schema.ts'
import type { WriteTx } from '../../store.ts'
import type { Deletion } from '../../trash/deletion.ts'
import { type Receiving, tokenHere } from './receiving.ts'

/** Records that have come, and what deleted those that lie in the trash, by id. */
interface Rows {
  readonly rows: readonly StoredRecord[]
  readonly deletions: ReadonlyMap<string, Deletion>
}

/** The cell that an archive says, without people whom nobody knows here. Throws validation_error for what is none. */
export function toCell(
  { reader, people }: Receiving,
  { field, rules }: ColumnField,
  said: unknown,
): Cell | null {
  const cell = rules.parse(said)
  if (cell instanceof Refusal) throw reader.wrong(`"${field.name}" ${cell.message}`)
  if (cell === null || !rules.userIds) return cell
  const known = rules.userIds(cell).filter((id) => people.has(id))
  if (!Array.isArray(cell)) return known[0] ?? null
  return known.length > 0 ? known : null
}

/** The records as they can be stored: without values that others have, and with the files that came before them. */
export async function toFitting(
  receiving: Receiving,
  tx: WriteTx,
  schema: TableSchema,
  rows: Rows,
): Promise<readonly StoredRecord[]> {
  const told = await withoutRepeats(tx, schema, rows, receiving)
  return withFiles(receiving, tx, schema, told)
}

/**
 * The records without unique values that one before them has: where a value goes from one record to another while an archive
 * is written, it may stand at both. Throws where the cell may not be empty.
 */
async function withoutRepeats(
  tx: WriteTx,
  schema: TableSchema,
  { rows, deletions }: Rows,
  { made, reader }: Receiving,
): Promise<readonly StoredRecord[]> {
  const unique = schema.columns.filter(({ field }) => field.unique)
  let told = rows
  for (const { field, column } of unique) {
    const { index } = column
    const values = new Set(
      rows.map(({ cells }) => cells[index] ?? null).filter((one) => one !== null),
    )
    const holders = await tx.records.findHolders(schema, column, [...values])
    const taken = new Set(holders.map(({ value }) => value))
    told = told.map((record) => {
      const value = record.cells[index] ?? null
      // Those in the trash stand in nobody's way.
      if (value === null || deletions.has(record.id)) return record
      if (!taken.has(value)) {
        taken.add(value)
        return record
      }
      if (!field.notNull || made.deletions.has(field.id))
        return { ...record, cells: record.cells.with(index, null) }
      throw reader.wrong(
        `"${field.name}" must be unique: the record "${record.id}" repeats a value`,
      )
    })
  }
  return told
}

/** The records with the files that came before them, under the tokens that these have here. */
async function withFiles(
  receiving: Receiving,
  tx: WriteTx,
  { columns }: TableSchema,
  rows: readonly StoredRecord[],
): Promise<readonly StoredRecord[]> {
  const { spaceId, userId, now: time, ids } = receiving.context
  let filled = rows
  for (const { field, column } of columns) {
    const { files } = typeOf(field)
    if (!files || field.isLookup) continue
    const renamed = filled.map(({ cells }) => {
      const cell = cells[column.index] ?? null
      if (!cell) return null
      const tokens = files
        .tokens(cell)
        .map((token) => [token, tokenHere(receiving, token)] as const)
      return files.withTokens(cell, new Map(tokens))
    })
    const tokens = [...new Set(renamed.flatMap((cell) => files.tokens(cell)))]
    if (tokens.length === 0) continue
    await tx.attachments.attach({ spaceId, tokens, userId, time })
    const stored = await tx.attachments.findAll(spaceId, tokens)
    const known = new Map(stored.map((file) => [file.token, file]))
    filled = filled.map((record, index) => {
      const cell = renamed[index]
      if (!cell) return record
      if (files.tokens(cell).some((token) => !known.has(token))) {
        throw receiving.reader.wrong(
          `the record "${record.id}" has a file that did not come before it`,
        )
      }
      const cells = record.cells.with(column.index, files.fill(cell, known, ids))
      return { ...record, cells }
    })
  }
  return filled
}
