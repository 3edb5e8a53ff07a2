import { isInSearchIndex } from '../indexes/search-cover.ts'
import { countTrigrams, Segment } from '../indexes/trigrams.ts'
import { limits } from '../limits.ts'
import { shownText } from '../queries/shown-text.ts'
import { scanRecords } from '../records/reading/scan-records.ts'
import { cellOf } from '../records/stored/cell-of.ts'
import type { StoredRecord } from '../records/stored/stored-record.ts'
import type { SchemaField, TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'

type SigningTx = Pick<ReadTx, 'recordScanner' | 'giveWay'>

/** Names of people aren't in the index. */
const nobody = { name: () => undefined }

/** The bits of the records of a segment, deleted ones included: they may come back. */
export async function signSegment(
  tx: SigningTx,
  schema: TableSchema,
  number: number,
  slots: number,
): Promise<Segment> {
  const segment = new Segment(slots)
  const after = number * limits.recordsPerSegment
  const fields = schema.fields.filter(isInSearchIndex)
  for await (const { records } of scanRecords(tx, schema, { after, withDeleted: true })) {
    for (const record of records) {
      const place = record.autoNumber - after - 1
      if (place >= limits.recordsPerSegment) return segment
      for (const text of textsOf(fields, record)) segment.add(place, text)
      await tx.giveWay()
    }
    if ((records.at(-1)?.autoNumber ?? 0) >= after + limits.recordsPerSegment) return segment
  }
  return segment
}

/** How many different pieces of text a record has on average, of the first ones. */
export async function usualTrigrams(tx: SigningTx, schema: TableSchema): Promise<number> {
  const fields = schema.fields.filter(isInSearchIndex)
  const { records } = await tx.recordScanner.next(schema, { after: 0, take: recordsLookedAt })
  const counts = records.map((record) => countTrigrams(textsOf(fields, record)))
  const sum = counts.reduce((a, b) => a + b, 0)
  return Math.ceil(sum / Math.max(1, counts.length))
}

/** Records whose texts tell how long those of all are. */
const recordsLookedAt = 500

function textsOf(fields: readonly SchemaField[], record: StoredRecord): readonly string[] {
  return fields.flatMap((field) => {
    const cell = cellOf(field, record)
    return cell === null ? [] : [shownText(field.rules.form, cell, nobody)]
  })
}
