import { decide } from '../access/guard.ts'
import type { SchemaGraph } from '../calculations/schema-graph.ts'
import { DomainError, notFound } from '../errors.ts'
import type { Table } from '../tables/table.ts'
import type { TableReadContext } from '../tables/table-context.ts'
import type { Field } from './field.ts'

/** The primary field is deleted with its table only: `restricted_resource`. */
export function requireNoPrimary(fields: readonly Field[]): void {
  const primary = fields.find(({ isPrimary }) => isPrimary)
  if (!primary) return
  throw new DomainError(
    'restricted_resource',
    `"${primary.name}" is the primary field, which stays`,
  )
}

/** A link's other end in another base goes along only by the hand of somebody who may delete it there. */
export async function requireFieldDeletion(
  { tx, table, userId, actor }: TableReadContext & { readonly table: Table },
  graph: SchemaGraph,
  foreignTableId: string,
): Promise<void> {
  const foreign = await graph.get(foreignTableId)
  const { baseId } = foreign.table
  if (baseId === table.baseId) return
  const access = await tx.access.findBase(baseId, userId, 'none')
  if (!access) throw notFound('table', foreignTableId)
  const place = { spaceId: access.base.spaceId, baseId, what: 'table', id: foreignTableId }
  decide(actor, access.role, 'field|delete', place)
}
