import type { Field } from '../fields/field.ts'
import { limits } from '../limits.ts'
import type { ReadTx } from '../store.ts'
import type { Table } from '../tables/table.ts'
import { deletedPages } from '../trash/deleted-pages.ts'
import { type TableSchema, toTableSchema } from './table-schema.ts'

/** A table with all its fields, those in its trash among them, in their order. */
export interface WholeSchema {
  readonly schema: TableSchema
  /** Which operation deleted those that are, by id. */
  readonly deletions: ReadonlyMap<string, string>
}

/**
 * The fields of a table, living or not, ready for work with its records: names that are taken by two of them tell nothing.
 * Throws what `tooMuch` makes where fields are more than an archive has.
 */
export async function wholeSchemaOf(
  tx: Pick<ReadTx, 'fields'>,
  table: Table,
  tooMuch: () => Error,
): Promise<WholeSchema> {
  const living = await tx.fields.schemaOf(table)
  const deletions = new Map<string, string>()
  const fields: Field[] = []
  for await (const page of deletedPages((page) => tx.fields.deletedIn(table.id, page))) {
    for (const { thing, operationId } of page) {
      fields.push(thing)
      deletions.set(thing.id, operationId)
    }
    if (fields.length > limits.deletedThingsPerArchive) throw tooMuch()
  }
  if (fields.length === 0) return { schema: living, deletions }
  const all = [...living.fields.map(({ field }) => field), ...fields].toSorted(asInSchemas)
  return { schema: toTableSchema(table, all, living.inboundTableIds, [], []), deletions }
}

/** By their order: one that came back stands before those that got the same since. */
function asInSchemas(a: Field, b: Field): number {
  const [one, other] = [a, b].map(({ createdTime, id }) => `${createdTime} ${id}`) as [
    string,
    string,
  ]
  return a.order - b.order || (one < other ? -1 : 1)
}
