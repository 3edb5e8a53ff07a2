import type { Condition } from '../queries/condition.ts'
import { offeredCondition } from '../records/query/offered-condition.ts'
import { type LoadedTable, SchemaGraph } from '../schemas/schema-graph.ts'
import type { SchemaField } from '../schemas/table-schema.ts'
import type { ShareContext } from './list-shown.ts'

/** The records that a form offers for one of its links. */
interface OfferedLinks extends LoadedTable {
  readonly condition: Condition
}

/**
 * What visitors are offered for a link field of a form: of a table of the same base, what the link's own filters let
 * through and no other cell has where only one may. Undefined for other fields: another base is no matter of the people
 * who share this one.
 */
export async function findOfferedLinks(
  { tx, table, now }: Pick<ShareContext, 'tx' | 'table' | 'now'>,
  field: SchemaField | undefined,
): Promise<OfferedLinks | undefined> {
  const link = field?.isWritable ? field.link : undefined
  if (!field || !link) return undefined
  const foreign = await new SchemaGraph(tx, 'none').find(link.foreignTableId)
  if (foreign?.table.baseId !== table.baseId) return undefined
  const offer = { schema: foreign.schema, userId: '', now, failsClosed: true }
  return { ...foreign, condition: await offeredCondition(tx, field, offer) }
}
