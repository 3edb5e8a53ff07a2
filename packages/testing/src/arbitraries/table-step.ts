import fc from 'fast-check'
import type { ModelRow, ModelValue, NewModelField, TableStep } from '../models/table/table-model.ts'

/** Few values, so that they meet. Some are of the wrong type for any one field. */
const value: fc.Arbitrary<ModelValue | null> = fc.constantFrom('a', 'b', 'c', '', 0, 1, 2.5, null)

const name = fc.constantFrom('Key', 'A', 'a', 'B', '"; drop', 'constructor')

/** Places in a list of fields or records; some beyond its end. */
const fieldPlace = fc.nat(4)
const recordPlace = fc.nat(6)

const row: fc.Arbitrary<ModelRow> = fc.uniqueArray(fc.tuple(fieldPlace, value), {
  selector: ([place]) => place,
  maxLength: 3,
})

const newField: fc.Arbitrary<NewModelField> = fc
  .record({
    name,
    type: fc.constantFrom('text', 'number'),
    unique: fc.boolean(),
    notNull: fc.boolean(),
    hasDefault: fc.boolean(),
  })
  .map(({ hasDefault, ...field }) => ({
    ...field,
    defaultValue: hasDefault ? (field.type === 'text' ? 'a' : 1) : undefined,
  }))

/** Any change of a table's fields or records. Most succeed, some are refused. */
export const tableStep: fc.Arbitrary<TableStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create'),
      rows: fc.array(row, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('update'),
      changes: fc.uniqueArray(fc.record({ record: recordPlace, row }), {
        selector: ({ record }) => record,
        minLength: 1,
        maxLength: 3,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete'),
      records: fc.array(recordPlace, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add field'), field: newField }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rename field'), field: fieldPlace, name }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('delete fields'),
      fields: fc.array(fieldPlace, { minLength: 1, maxLength: 2 }),
    }),
  },
)
