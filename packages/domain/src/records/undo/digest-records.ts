import { toCanonicalJson } from '../../bases/canonical-form.ts'
import type { LinkEnd } from '../../fields/link-end.ts'
import { notedFields } from '../../history/to-cell-change.ts'
import { withLinks } from '../../links/linked-cells.ts'
import { toChoiceIds } from '../../schemas/choice-names.ts'
import type { ColumnField, TableSchema } from '../../schemas/table-schema.ts'
import { wholeSchemaOf } from '../../schemas/whole-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { Table } from '../../tables/table.ts'
import { findEntries } from '../../trash/find-entries.ts'
import { ContentDigest } from '../../undo/content-digest.ts'
import { findRecords } from '../reading/scan-records.ts'
import { filledCells } from '../stored/filled-cells.ts'
import type { StoredRecord } from '../stored/stored-record.ts'

/**
 * A digest of all that callers have written into those of the records that are stored, in whatever order they are named, and
 * whatever choices are called by now.
 */
export function digestRecords(
  tx: RecordsRead,
  schema: TableSchema,
  recordIds: readonly string[],
): Promise<string> {
  return digestOf(tx, schema, notedFields(schema), recordIds)
}

/**
 * A digest of all that callers have written into those of the records that are stored, with what they hold in fields that
 * lie in the trash; undefined where there are no such fields, or too many to look at. Fields that are being purged lie there
 * no more.
 */
export async function digestWithTrash(
  tx: RecordsRead & Pick<ReadTx, 'fields' | 'trash'>,
  table: Table,
  recordIds: readonly string[],
): Promise<string | undefined> {
  const tooMany = new Error('too many fields lie in the trash')
  try {
    const { schema, deletions } = await wholeSchemaOf(tx, table, () => tooMany)
    const entries = await findEntries(tx, deletions.values())
    if (entries.size === 0) return undefined
    const isPurged = (fieldId: string) => {
      const operationId = deletions.get(fieldId)
      return operationId !== undefined && !entries.has(operationId)
    }
    const ends = await tx.fields.linkEndsOf(table.id)
    const withPairs = new Set(ends.flatMap(({ end, hasPairs }) => (hasPairs ? keyOf(end) : [])))
    // The field at the other end of one that is no link any more lies there without links.
    const fields = notedFields(schema).filter(
      ({ field, link }) => !isPurged(field.id) && (!link || withPairs.has(keyOf(link.end))),
    )
    return await digestOf(tx, schema, fields, recordIds)
  } catch (error) {
    if (error === tooMany) return undefined
    throw error
  }
}

type RecordsRead = Pick<ReadTx, 'records' | 'links' | 'giveWay'>

async function digestOf(
  tx: RecordsRead,
  schema: TableSchema,
  fields: readonly ColumnField[],
  recordIds: readonly string[],
): Promise<string> {
  const columns = fields.map(({ column }) => column)
  const byIds = toChoiceIds(schema)
  const digest = new ContentDigest()
  for await (const { records } of findRecords(tx, schema, recordIds, 'none', columns)) {
    for (const record of await withLinks(tx, fields, records))
      addRecord(digest, { fields, byIds }, record)
    await tx.giveWay()
  }
  return digest.end()
}

function keyOf({ ownerFieldId, isOwner }: LinkEnd): string {
  return `${ownerFieldId} ${isOwner}`
}

/** The digest that `digestRecords` makes of stored records, of records that are held in memory with their links. */
export async function digestHeldRecords(
  tx: Pick<ReadTx, 'giveWay'>,
  schema: TableSchema,
  records: readonly StoredRecord[],
): Promise<string> {
  const written = { fields: notedFields(schema), byIds: toChoiceIds(schema) }
  const digest = new ContentDigest()
  // Stored ones come in the order of their ids.
  for (const record of records.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    addRecord(digest, written, record)
    await tx.giveWay()
  }
  return digest.end()
}

/** The fields whose cells are digested, and what tells choices by ids. */
interface WrittenFields {
  readonly fields: readonly ColumnField[]
  readonly byIds: ReturnType<typeof toChoiceIds>
}

function addRecord(
  digest: ContentDigest,
  { fields, byIds }: WrittenFields,
  record: StoredRecord,
): void {
  const cells = filledCells(fields, record).map(([id, cell]) => [id, byIds(id, cell)])
  // A storage may keep the members of a cell in another order than it got them.
  digest.addJson(toCanonicalJson([record.id, cells]))
}
