import type { Viewer } from '../accounts/users/shown-contact.ts'
import { invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import { readFound } from '../records/pages/read-found.ts'
import { type AnswerBound, mostAnswered } from '../records/showing/answer-size.ts'
import { outputsOf } from '../records/showing/record-output.ts'
import type { ReadTx } from '../store.ts'
import { jsonTextBytes } from '../values/json/json-bytes.ts'
import type { Selection } from './find-selection.ts'
import { joinRows, printRow } from './tabbed-text.ts'
import { tooLongSelection } from './too-long-selection.ts'

interface TextsContext extends AnswerBound, Viewer {
  readonly tx: ReadTx
  readonly mayEndSooner?: boolean
}

/**
 * The cells of a selection as people read them, in one text. Only these cells are read. Throws validation_error where
 * they are longer than one answer may be.
 */
export async function textOfCells(
  context: TextsContext,
  { schema, columns, recordIds }: Selection,
): Promise<string> {
  const { tx, actor, publicUrl } = context
  const keys = columns.map(({ field }) => field.id)
  const shape = {
    fieldKeyType: 'id',
    cellFormat: 'text',
    projection: new Set(keys),
    actor,
    publicUrl,
  } as const
  const read = columns.flatMap(({ column }) => column ?? [])
  const found = recordIds.map((id) => ({ id }))
  const rows: string[] = []
  let length = 0
  let bytesLeft = mostAnswered(context)
  const source = readFound(tx, schema, found, read)
  for (;;) {
    const { value, done } = await source.next()
    if (done) {
      if (value) throw tooMuch(limits.recordsLength)
      return joinRows(rows)
    }
    const { show } = await outputsOf(tx, schema, value, shape)
    for (const record of value) {
      const { fields } = await show(tx, record)
      const row = printRow(keys.map((key) => (fields[key] as string | undefined) ?? ''))
      length += row.length + 1
      if (length > limits.copiedLength) throw tooMuch(limits.copiedLength)
      bytesLeft -= jsonTextBytes(row)
      if (bytesLeft < 0) throw tooLongSelection(context)
      rows.push(row)
      await tx.giveWay()
    }
  }
}

function tooMuch(most: number) {
  const message = `the selected cells take more than ${most} characters together`
  return invalidAt(['ranges'], `${message}: select fewer`)
}
