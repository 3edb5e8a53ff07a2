import { mayReadBase, type Reader } from '../../bases/may-read-base.ts'
import { invalidAt } from '../../errors.ts'
import type { LinkEnd } from '../../fields/link-end.ts'
import { always, both, type Condition } from '../../queries/condition.ts'
import type { FilterContext } from '../../queries/to-condition.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import { offeredCondition } from './offered-condition.ts'

/** A link field, perhaps with the record whose cell is meant. */
type LinkCell = string | readonly [fieldId: string, recordId: string]

/** How a caller picks records for a link, or out of one. */
export interface PickInput {
  readonly selectedRecordIds?: readonly string[] | undefined
  readonly filterLinkCellCandidate?: LinkCell | undefined
  readonly filterLinkCellSelected?: LinkCell | undefined
}

/** Who picks, and when. */
type PickContext = Reader & Pick<FilterContext, 'now'>

/** What is picked. */
export interface Picked {
  readonly condition: Condition
  /** The records of the one cell that is meant, in its order; undefined where none is. */
  readonly inOrder: readonly string[] | undefined
}

/**
 * What a caller picks out of the records of a table. Throws validation_error for what is no link field whose table the
 * caller may read and that links to this table.
 */
export async function findPicked(
  reader: PickContext,
  schema: TableSchema,
  input: PickInput,
): Promise<Picked> {
  const { tableId } = schema
  const { selectedRecordIds, filterLinkCellCandidate, filterLinkCellSelected } = input
  let condition: Condition = selectedRecordIds ? { kind: 'ids', ids: selectedRecordIds } : always
  if (filterLinkCellCandidate !== undefined) {
    const cell = await findLinkCell(reader, tableId, input, 'filterLinkCellCandidate')
    const offer = { schema, userId: reader.userId, now: reader.now, recordId: cell.recordId }
    condition = both(condition, await offeredCondition(reader.tx, cell.field, offer))
  }
  if (filterLinkCellSelected === undefined) return { condition, inOrder: undefined }
  const { end, recordId } = await findLinkCell(reader, tableId, input, 'filterLinkCellSelected')
  if (recordId === undefined) {
    const isTaken: Condition = { kind: 'linked', end, recordId, isLeftOut: false }
    return { condition: both(condition, isTaken), inOrder: undefined }
  }
  const pairs = await reader.tx.links.of(end, [recordId])
  const ids = pairs.map(({ foreignId }) => foreignId)
  return { condition: both(condition, { kind: 'ids', ids }), inOrder: ids }
}

interface FoundCell {
  readonly field: SchemaField
  readonly end: LinkEnd
  readonly recordId: string | undefined
}

async function findLinkCell(
  reader: Reader,
  tableId: string,
  input: PickInput,
  member: 'filterLinkCellCandidate' | 'filterLinkCellSelected',
): Promise<FoundCell> {
  const [fieldId = '', recordId] = [input[member] ?? []].flat()
  const { tx } = reader
  const graph = new SchemaGraph(tx, 'none')
  const table = await graph.find((await tx.fields.tableIdOf(fieldId)) ?? '')
  const field = table?.schema.byKey.id.get(fieldId)
  const isOfTable = field?.link?.foreignTableId === tableId
  if (table && field?.link && isOfTable && (await mayReadBase(reader, table.table.baseId))) {
    return { field, end: field.link.end, recordId }
  }
  throw invalidAt([member], 'must be the id of a field that links to this table')
}
