import type { Database } from '../../metadata/database-schema.ts'
import type { TableColumns } from '../../metadata/table-columns.ts'
import type { SqlSession } from '../session.ts'
import { inChunks } from '../statements/in-chunks.ts'

/** Adds a row for each of the entities, if any, in as few statements as possible. */
export async function insertRows<Entity extends object, Row extends object>(
  session: SqlSession,
  table: keyof Database,
  columns: TableColumns<Entity, Row>,
  entities: readonly Entity[],
): Promise<void> {
  await inChunks(session.dialect, entities, columns.names.length, async (chunk) => {
    const rows = chunk.map((entity) => columns.toRow(entity)) as never[]
    await session.runOnce(session.db.insertInto(table).values(rows))
  })
}
