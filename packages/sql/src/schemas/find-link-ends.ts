import type { Field } from '@gateleg/domain/fields/field'
import { type LinkEnd, linkTablePrefix, otherEnd } from '@gateleg/domain/fields/link-end'
import { linkCapabilityOf } from '@gateleg/domain/fields/link-of'
import type { TableLink } from '@gateleg/domain/schemas/field-repository'
import { prepared } from '../core/database.ts'
import type { SqlSession } from '../core/session.ts'
import { type FieldRow, fieldColumns } from '../metadata/tables/field-table.ts'

type LinkRow = FieldRow & { table_deletion_id: string | null; base_deletion_id: string | null }

/** Fields that link records of the table, from either end, deleted ones too. */
const linkFields = prepared<{ tableId: string }, LinkRow>((db, value) =>
  db
    .selectFrom('fields')
    .innerJoin('tables', 'tables.id', 'fields.table_id')
    .innerJoin('bases', 'bases.id', 'tables.base_id')
    // Pairs go for good with either table.
    .innerJoin('tables as target', 'target.id', 'fields.foreign_table_id')
    .selectAll('fields')
    .select(['tables.deletion_id as table_deletion_id', 'bases.deletion_id as base_deletion_id'])
    .where(({ eb, or }) =>
      or([
        eb('fields.table_id', '=', value('tableId')),
        eb('fields.foreign_table_id', '=', value('tableId')),
      ]),
    )
    .where('fields.lookup_options', 'is', null)
    .orderBy('fields.id'),
)

/** The ends of links at which records of a table are; see `FieldReader.linkEndsOf`. */
export async function findLinkEnds(
  session: SqlSession,
  tableId: string,
): Promise<readonly TableLink[]> {
  const ends = new Map<string, PairedEnd>()
  const pairsOfOwners = new Map<string, string>()
  for (const row of await session.all(linkFields, { tableId })) {
    const field = fieldColumns.toEntity(row)
    const isResting =
      row.deletion_id !== null ||
      row.table_deletion_id !== null ||
      row.base_deletion_id !== null ||
      field.hasError
    for (const one of endsAt(tableId, field)) {
      const isOwners = one.end.ownerFieldId === field.id
      if (isOwners) pairsOfOwners.set(field.id, one.pair)
      // The same field may have made other links before, of which deleted ends are left: they tell nothing of this one.
      const key = `${one.end.ownerFieldId} ${one.end.isOwner} ${one.pair}`
      const known = ends.get(key)
      const told = known && !isOwners ? known : one
      ends.set(key, { ...told, isResting: isResting && (known?.isResting ?? true) })
    }
  }
  // Pairs lie under the field that was made first, and go where that goes: what it was before counts no more.
  const found: TableLink[] = []
  for (const { pair, ...one } of ends.values()) {
    if (pairsOfOwners.get(one.end.ownerFieldId) !== pair) continue
    found.push({ ...one, hasPairs: !one.isResting || (await hasPairs(session, one.end)) })
  }
  return found
}

async function hasPairs(session: SqlSession, end: LinkEnd): Promise<boolean> {
  const columns = session.dialect.tables.columns(
    end.baseId,
    `${linkTablePrefix}${end.ownerFieldId}`,
  )
  return (await session.allOnce(columns)).length > 0
}

/** An end, and which two tables the link is between. */
type PairedEnd = Omit<TableLink, 'hasPairs'> & { readonly pair: string }

/** The ends at which records of the table are in the link of the field: both, where it links the table to itself. */
function endsAt(tableId: string, field: Field): readonly Omit<PairedEnd, 'isResting'>[] {
  const link = linkCapabilityOf(field)
  if (!link) return []
  const end = link.endOf(field.options)
  const { foreignTableId } = link.targetOf(field.options)
  const pair = [field.tableId, foreignTableId].toSorted().join(' ')
  return [
    ...(field.tableId === tableId ? [{ end, foreignTableId, pair }] : []),
    ...(foreignTableId === tableId
      ? [{ end: otherEnd(end), foreignTableId: field.tableId, pair }]
      : []),
  ]
}
