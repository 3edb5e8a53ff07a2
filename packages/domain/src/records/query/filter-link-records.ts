import { z } from 'zod'
import { mayReadBase, type Reader } from '../../bases/may-read-base.ts'
import { invalidAt } from '../../errors.ts'
import type { Field } from '../../fields/field.ts'
import { type Filter, itemsOf } from '../../fields/filter.ts'
import { linkCapabilityOf } from '../../fields/link-of.ts'
import { limits } from '../../limits.ts'
import type { LoadedTable, SchemaGraph } from '../../schemas/schema-graph.ts'
import { readTitles, type TitledRecord } from '../reading/read-titles.ts'
import { ValuesWithin } from '../showing/answer-size.ts'

const linkedRecord = z.object({
  id: z.string().describe('The id of the record'),
  title: z.string().optional().describe('What links show of it'),
})

/** Records that a filter names, by their tables. */
export const filterLinkRecordsOutput = z.array(
  z.object({
    tableId: z.string().describe('The linked table'),
    records: z.array(linkedRecord).describe('Those that are there, in the order of the filter'),
  }),
)

/**
 * The records that a filter about a table names, each table once: filters name them by their ids alone. Those of bases
 * that the caller may not read are left out; the base of the table itself may be read. Throws validation_error where they
 * take more than one answer may.
 */
export async function filterLinkRecords(
  reader: Reader,
  graph: SchemaGraph,
  { table, schema }: LoadedTable,
  filter: Filter,
): Promise<z.output<typeof filterLinkRecordsOutput>> {
  const answers = new Map<string, Map<string, TitledRecord>>()
  const told = new ValuesWithin<TitledRecord>(reader.tx, limits.answerBytes)
  for (const { fieldId, value } of itemsOf(filter)) {
    const field = await linkFieldOf(graph, schema.byKey.id.get(fieldId)?.field)
    const link = field && linkCapabilityOf(field)
    const ids = [value].flat().filter((id) => typeof id === 'string')
    if (!link || ids.length === 0) continue
    const foreign = await graph.find(link.targetOf(field.options).foreignTableId)
    if (!foreign) continue
    const isElsewhere = foreign.table.baseId !== table.baseId
    if (isElsewhere && !(await mayReadBase(reader, foreign.table.baseId))) continue
    const records = answers.get(foreign.table.id) ?? new Map()
    answers.set(foreign.table.id, records)
    const titleFieldId = link.titleFieldId(field.options)
    const others = ids.filter((id) => !records.has(id))
    for (const record of await readTitles(reader.tx, foreign.schema, titleFieldId, others)) {
      if (!(await told.add(record))) throw tooMuch()
      records.set(record.id, record)
    }
  }
  return [...answers].map(([tableId, records]) => ({ tableId, records: [...records.values()] }))
}

function tooMuch() {
  const most = `more than ${limits.answerBytes} bytes together as they would be answered`
  return invalidAt([], `the records that the filter names take ${most}`)
}

/** The link whose records the cells of the field hold: itself, or what it looks up, however far away that is. */
async function linkFieldOf(graph: SchemaGraph, field?: Field): Promise<Field | undefined> {
  const seen = new Set<string>()
  for (let at = field; at && !seen.has(at.id); ) {
    seen.add(at.id)
    const { lookupOptions, isLookup } = at
    if (!isLookup || !lookupOptions) return at
    at = (await graph.findField(lookupOptions.foreignTableId, lookupOptions.lookupFieldId))?.field
  }
  return undefined
}
