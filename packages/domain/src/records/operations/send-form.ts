import { type DomainError, invalid } from '../../errors.ts'
import { typeOf } from '../../fields/field-values.ts'
import type { FieldKeyType, TableSchema } from '../../schemas/table-schema.ts'
import { shownSchema } from '../../views/shown-schema.ts'
import type { View } from '../../views/view.ts'
import type { RecordInput } from '../input/record-input.ts'
import { unknownField } from '../input/unknown-field.ts'
import type { RecordsContext } from '../reading/records-context.ts'
import { cellOf } from '../stored/cell-of.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { creation } from '../writing/creation.ts'
import type { WrittenRecords } from '../writing/record-write.ts'
import { writeRecords } from '../writing/write-records.ts'

/** What was filled in, and how. */
interface SentForm extends RecordInput {
  readonly fieldKeyType: FieldKeyType
  readonly typecast: boolean
}

/**
 * Creates a record of what was filled into a form: of the fields that it shows and no others; those get their defaults.
 * Answers the record with the fields of the form. Throws `not_found` for a key that names no field of the form,
 * validation_error for what doesn't fit, and where a required field stays empty.
 */
export async function sendForm(
  context: RecordsContext,
  view: View,
  sent: SentForm,
): Promise<WrittenRecords> {
  const { tx, table } = context
  const { fieldKeyType, typecast } = sent
  const only = { view, includesHidden: false }
  const form = shownSchema(await tx.fields.schemaOf(table), only)
  const options = {
    ...{ fieldKeyType, typecast, pathOf: () => [] },
    // Once a record is stored, it has taken a number, which PostgreSQL doesn't take back.
    onComputed: async (schema: TableSchema, records: readonly StoredRecord[]) => {
      const asked = shownSchema(schema, only)
      for (const record of records) requireFilled(view, asked, record, fieldKeyType)
    },
  }
  for (const key of Object.keys(sent.fields)) {
    if (!form.byKey[fieldKeyType].has(key)) throw unknownField(form, options, 0, key)
  }
  const { schema, records } = await writeRecords(context, creation, [sent], options)
  return { schema: shownSchema(schema, only), records }
}

/** Asked of the record that comes of it: a default fills a field as well as a value does. Nobody can fill a button in. */
function requireFilled(
  { columnMeta }: View,
  { fields }: TableSchema,
  record: StoredRecord,
  fieldKeyType: FieldKeyType,
): void {
  const empty = fields.filter(
    (schemaField) =>
      schemaField.isWritable &&
      !typeOf(schemaField.field).isPressed &&
      columnMeta[schemaField.field.id]?.required &&
      cellOf(schemaField, record) === null,
  )
  if (empty.length > 0) throw missing(empty.map(({ field }) => field[fieldKeyType]))
}

function missing(keys: readonly string[]): DomainError {
  return invalid(
    keys.map((key) => ({
      path: ['fields', key],
      message: 'must not be empty: the form requires a value',
    })),
  )
}
