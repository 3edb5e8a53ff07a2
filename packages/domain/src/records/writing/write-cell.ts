import type { RecordsContext } from '../reading/records-context.ts'
import type { RecordScope } from '../record-guard.ts'
import { toWrittenOutput } from '../showing/written-answer.ts'
import { Change } from './change.ts'
import type { RowOptions } from './record-write.ts'
import { writeRecords } from './write-records.ts'

/** Sets one cell of the record, which is held. Answers the record, its fields by their ids, and its version. */
export async function writeCell(
  context: RecordsContext & RecordScope,
  fieldId: string,
  value: unknown,
  { setsPresses = false }: Pick<RowOptions, 'setsPresses'> = {},
) {
  const options = { fieldKeyType: 'id', typecast: false, pathOf: () => [], setsPresses } as const
  const rows = [{ fields: { [fieldId]: value } }]
  const written = await writeRecords(context, new Change([context.record]), rows, options)
  return toWrittenOutput(context, written, 'id')
}
