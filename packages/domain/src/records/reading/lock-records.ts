import { notFound } from '../../errors.ts'
import { requireEachMatch } from '../../input/require-match.ts'
import type { Column } from '../../schemas/table-schema.ts'
import type { CallContext } from '../../use-case.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import type { RecordsContext } from './records-context.ts'
import { collectRecords } from './scan-records.ts'

/**
 * The records of the ids, in their order, which nobody else changes until the transaction ends.
 * `not_found` when one isn't there, `precondition_failed` when one hasn't the version that the call asks of it,
 * `validation_error` when they are too much for one request, AnswerTooLong when they are too much for the answer
 * that the call allows. Where columns are named, no other cells are read.
 */
export async function lockRecords(
  {
    tx,
    table,
    ifMatch,
    answerLength,
  }: Pick<RecordsContext, 'tx' | 'table'> & Pick<CallContext, 'ifMatch' | 'answerLength'>,
  recordIds: readonly string[],
  columns?: readonly Column[],
): Promise<readonly StoredRecord[]> {
  const schema = await tx.fields.schemaOf(table)
  const records = await collectRecords(tx, schema, [...new Set(recordIds)], 'update', {
    ...(columns && { columns }),
    ...(answerLength !== undefined && { answerLength }),
  })
  const locked = recordIds.map((id) => {
    const record = records.get(id)
    if (!record) throw notFound('record', id)
    return record
  })
  const versions = locked.map(({ version }) => version)
  requireEachMatch(ifMatch, versions)
  return locked
}
