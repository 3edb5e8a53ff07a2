import type { Base } from '../../../bases/base.ts'
import type { Table } from '../../table.ts'
import type { TableContext } from '../../table-context.ts'
import { freeTableNames } from '../creation/free-table-names.ts'
import { type CopiedTables, copyTables } from './copy-tables.ts'

/** What a copy of a table is called, and whether it takes the records along. */
export interface CopyOptions {
  readonly name?: string | undefined
  readonly includeRecords: boolean
}

/** A copy of a table, and what the copies of its fields and views are called. */
export interface CopiedTable extends Pick<CopiedTables, 'idsByOriginal'> {
  readonly table: Table
}

/**
 * Copies a table with its fields and views into the same base, which must be held for update; all but
 * its node.
 */
export async function copyTable(
  context: TableContext,
  base: Base,
  original: Table,
  { name = original.name, includeRecords }: CopyOptions,
): Promise<CopiedTable> {
  const copy = toCopy(context, original, {
    baseId: base.id,
    ...(await freeTableNames(context.tx, base, { name })),
  })
  const terms = { withRecords: includeRecords, member: 'includeRecords', what: 'the table' }
  const { graph, idsByOriginal } = await copyTables(context, [{ original, copy }], terms)
  return { table: (await graph.get(copy.id)).table, idsByOriginal }
}

/** A table that begins as a copy of another one, made now by the caller. */
export function toCopy(
  { now, userId, ids }: TableContext,
  original: Table,
  place: Pick<Table, 'baseId' | 'name' | 'dbTableName'>,
): Table {
  return {
    ...original,
    ...place,
    id: ids.next('table'),
    rebuiltName: null,
    version: 1,
    schemaTag: ids.revision(),
    createdBy: userId,
    createdTime: now,
    lastModifiedTime: now,
  }
}
