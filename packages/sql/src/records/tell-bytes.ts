import { limits } from '@gateleg/domain/limits'
import type { RecordChange } from '@gateleg/domain/records/record-writer'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { SqlSession } from '../core/session.ts'
import { cellsMeasure, sizeOfCells } from '../core/statements/slices-by-size.ts'

/**
 * Tells the connection how many bytes a statement will rewrite, if it wants to know: only then they are queried.
 * `written` is roughly the number of new bytes.
 */
export async function tellBytes(
  { connection }: SqlSession,
  query: () => string,
  values: readonly unknown[],
  written = 0,
): Promise<void> {
  if (!connection.willRewrite) return
  const [row] = await connection.rows(query(), values)
  connection.willRewrite(Number(row?.[0]) + written)
}

/** Bytes of a character at most, in UTF-8. */
const bytesPerCharacter = 3

/**
 * Tells the same for the records of changes, which are measured only where nobody knows what they take, or where they may
 * be too large for one statement. The query takes the list of their numbers.
 */
export async function tellBytesOfChanges(
  session: SqlSession,
  query: () => string,
  changes: readonly RecordChange[],
  schema: Pick<TableSchema, 'hiddenColumns'>,
): Promise<void> {
  const { connection } = session
  if (!connection.willRewrite) return
  const written = charactersWritten(changes)
  const bytes = mostBytesBefore(changes, schema) + written
  if (bytes <= limits.lengthRewrittenAtOnce) connection.willRewrite(bytes)
  else await tellBytes(session, query, [changes.map(({ autoNumber }) => autoNumber)], written)
}

function charactersWritten(changes: readonly RecordChange[]): number {
  let characters = 0
  const measure = cellsMeasure()
  for (const { values } of changes) characters += measure(values)
  return characters
}

/** The bytes that the records take at most, roughly; without an end where that isn't known. */
function mostBytesBefore(
  changes: readonly RecordChange[],
  { hiddenColumns }: Pick<TableSchema, 'hiddenColumns'>,
): number {
  let most = 0
  for (const { before, bytes } of changes) {
    if (bytes !== undefined) most += bytes
    // Cells don't show what hidden columns hold.
    else if (before && hiddenColumns.length === 0) most += bytesPerCharacter * sizeOfCells(before)
    else return Number.POSITIVE_INFINITY
  }
  return most
}
